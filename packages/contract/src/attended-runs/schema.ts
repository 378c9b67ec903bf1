import { z } from 'zod'
import { ACCOUNT_STATUSES, ACCOUNT_TYPES } from '../accounts/schema.ts'
import { id, timestamp } from '../core/record.ts'
import { ATTENDED_PURPOSES, runErrorSchema } from '../runs/schema.ts'
import { choiceSchema, pointedSchema, recordingSchema } from './watched.ts'

/** How long a browser is handed to a person, how much a prolonging adds, and the most there can be, in seconds. */
export const ATTENDED_SECONDS = { first: 900, more: 900, most: 7200 } as const
/** A person whose viewer has not asked for a picture for so long is away, and somebody else may take over. */
export const AWAY_SECONDS = 30
/** A picture of the page, with what is said of it. */
export const FRAME_MAX_BYTES = 640 * 1024
/** What is said with it takes no more than this of that. */
export const FRAME_META_MAX_BYTES = 128 * 1024
/** The picture is never larger than this, in pixels. */
export const FRAME_SIZE = { width: 1280, height: 960 } as const
/** The server answers so soon where there is no new picture. */
export const FRAME_WAIT_MS = 20_000
/** So many files can be given to a page at once. */
export const GIVEN_FILES_MOST = 10
/** Input that is older is not played: the page has moved on. */
export const INPUT_STALE_MS = 5000

/**
 * How far an attended run is: waiting for its client, its browser starting, open, being saved; and how it ended: saved,
 * discarded by a person, over by its time, failed, lost with its agent, never taken up. One opened from a workflow saves
 * nothing, and is closed.
 */
export const ATTENDED_STATES = [
  'waiting',
  'starting',
  'open',
  'saving',
  'saved',
  'closed',
  'discarded',
  'timeOver',
  'failed',
  'lost',
  'notTaken',
] as const
export type AttendedState = (typeof ATTENDED_STATES)[number]

export const attendedRunSchema = z.object({
  id,
  purpose: z.enum(ATTENDED_PURPOSES),
  /** The workflow from whose editor it was opened. */
  workflowId: id.nullable(),
  accountId: id.nullable(),
  accountName: z.string().nullable(),
  /** Null for a fresh browser. */
  profileId: id.nullable(),
  profileName: z.string().nullable(),
  clientId: id,
  clientName: z.string(),
  state: z.enum(ATTENDED_STATES),
  error: runErrorSchema.nullable(),
  /** Who has the browser in hand. */
  holderId: id,
  holderName: z.string(),
  mine: z.boolean(),
  /** The holder's viewer is closed or out of reach; somebody else may take over. */
  away: z.boolean(),
  openedAt: timestamp,
  finishedAt: timestamp.nullable(),
  /** Until the browser closes by itself; null before it is open and after its end. */
  secondsLeft: z.number().int().nullable(),
  /** Of `look`, `input`, `prolong`, `save`, `discard`, `takeOver`, `watch`. */
  can: z.array(z.string()),
})
export type AttendedRun = z.infer<typeof attendedRunSchema>

/** Why an account needs a person. */
export const PERSON_REASONS = ['challenge', 'rejected', 'expired', 'expiring', 'first'] as const
export type PersonReason = (typeof PERSON_REASONS)[number]

/** An account in the queue of the sign-in desk. */
export const waitingAccountSchema = z.object({
  id,
  username: z.string(),
  type: z.enum(ACCOUNT_TYPES),
  status: z.enum(ACCOUNT_STATUSES),
  reason: z.enum(PERSON_REASONS),
  /** Since when it waits; of a session that is about to end, when it ends. */
  since: timestamp,
  lastError: z.string().nullable(),
  /** When its session was saved last. */
  lastSignInAt: timestamp.nullable(),
  profileId: id.nullable(),
  profileName: z.string().nullable(),
  /** The attended run that is under way for it. */
  attended: z
    .object({ id, holderName: z.string(), mine: z.boolean(), state: z.enum(ATTENDED_STATES) })
    .nullable(),
  can: z.array(z.string()),
})
export type WaitingAccount = z.infer<typeof waitingAccountSchema>

const share = z.number().min(0).max(1)
const modifiers = z.int().min(0).max(15).default(0)
/** What a person does. Places are shares of the picture's width and height, so its size does not matter. */
export const inputEventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('mouse'),
    action: z.enum(['move', 'down', 'up']),
    x: share,
    y: share,
    button: z.enum(['none', 'left', 'middle', 'right']).default('none'),
    buttons: z.int().min(0).max(7).default(0),
    clicks: z.int().min(0).max(3).default(0),
    modifiers,
  }),
  z.strictObject({
    type: z.literal('wheel'),
    x: share,
    y: share,
    dx: z.number().min(-5000).max(5000),
    dy: z.number().min(-5000).max(5000),
    modifiers,
  }),
  z.strictObject({
    type: z.literal('key'),
    action: z.enum(['down', 'up']),
    key: z.string().min(1).max(32),
    code: z.string().max(32).default(''),
    keyCode: z.int().min(0).max(255).default(0),
    /** What it types, if anything. */
    text: z.string().max(4).default(''),
    modifiers,
  }),
  /** Typed by an input method, pasted, or written in the text field. */
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(10_000) }),
  z.strictObject({ type: z.literal('go'), to: z.enum(['back', 'forward', 'reload']) }),
  z.strictObject({ type: z.literal('open'), address: z.string().trim().min(1).max(2000) }),
  z.strictObject({ type: z.literal('closeTab') }),
  /** Answers a question that the page asks. */
  z.strictObject({ type: z.literal('answer'), accept: z.boolean(), text: z.string().max(2000).optional() }),
  z.strictObject({ type: z.literal('newTab') }),
  z.strictObject({ type: z.literal('tab'), index: z.int().min(0).max(1000) }),
  /** Chooses in the drop-down list that is open; none closes it. */
  z.strictObject({ type: z.literal('choose'), list: z.int(), indexes: z.array(z.int().min(0)).max(1000) }),
  /** Gives the page the files that it asks for; none declines. */
  z.strictObject({
    type: z.literal('files'),
    number: z.int().min(1),
    fileIds: z
      .array(id)
      .max(GIVEN_FILES_MOST)
      .refine((ids) => new Set(ids).size === ids.length, { error: 'invalid' }),
  }),
  /** Points at an element: to see its box, or, chosen, to be told how it can be found. */
  z.strictObject({
    type: z.literal('point'),
    number: z.int().min(1),
    x: share,
    y: share,
    chosen: z.boolean(),
    /** Where something can be pressed around the place, that is meant. */
    pressable: z.boolean(),
  }),
  z.strictObject({ type: z.literal('recording'), on: z.boolean() }),
  /** What was recorded has come as far as this. */
  z.strictObject({ type: z.literal('recorded'), upTo: z.int().min(0) }),
])
export type AttendInput = z.infer<typeof inputEventSchema>
/** Events of one call, in their order. */
export const inputBatchSchema = z.array(inputEventSchema).min(1).max(100)

/** What is said of the page together with its picture. */
export const frameMetaSchema = z.strictObject({
  /** Grows with each picture of a run. */
  number: z.int().min(1),
  width: z.int().min(1).max(4096),
  height: z.int().min(1).max(4096),
  url: z.string().max(2000),
  title: z.string().max(300),
  tabs: z.int().min(0).max(1000),
  /** Something the person should know of what they asked for last. */
  notice: z.enum(['refused', 'unreachable', 'badAddress', 'download', 'crashed']).nullable(),
  /** A question of the page that waits for its answer. */
  dialog: z
    .strictObject({
      kind: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
      message: z.string().max(1000),
      value: z.string().max(1000),
    })
    .nullable(),
  secondsLeft: z.int().min(0),
  /** Which of the tabs is shown, from 0. */
  tab: z.int().min(0).optional(),
  /** A drop-down list that is open; browsers draw theirs outside of the picture. */
  choice: choiceSchema.optional(),
  /** The page asks for files; browsers draw that window outside of the picture too. */
  files: z
    .strictObject({
      number: z.int().min(1),
      multiple: z.boolean(),
      /** The kinds that it takes, as its field says. */
      accept: z.string().max(300),
      /** Whether the person is asked, the client fetches what they chose, or that failed. */
      state: z.enum(['asked', 'taking', 'failed']),
    })
    .optional(),
  pointed: pointedSchema.optional(),
  recording: recordingSchema.optional(),
})
export type FrameMeta = z.infer<typeof frameMetaSchema>
