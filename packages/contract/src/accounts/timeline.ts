import { z } from 'zod'
import { queryInt } from '../core/list.ts'
import { id, timestamp } from '../core/record.ts'
import { RUN_CYCLES, RUN_RESULTS } from '../runs/schema.ts'
import { ACCOUNT_STATUSES } from './schema.ts'

/** Where a page of a timeline ends: the time and id of its last entry. */
export const timelineCursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

const common = { id, at: timestamp }

/** A run that held the account, from when it was offered to its end. */
const runEntry = z.object({
  kind: z.literal('run'),
  ...common,
  /** Whether the person may see the run's campaign; where not, the entry only says when the account was held. */
  seen: z.boolean(),
  campaignId: id.nullable(),
  campaignTitle: z.string().nullable(),
  /** None for a browser that a person had in hand. */
  workflowName: z.string().nullable(),
  clientName: z.string().nullable(),
  cycle: z.enum(RUN_CYCLES),
  result: z.enum(RUN_RESULTS).nullable(),
  error: z.object({ class: z.string(), message: z.string() }).nullable(),
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  /** With this run the account had as many in an hour or a day as its limits allow. */
  limit: z.enum(['hour', 'day']).nullable(),
})

/** What somebody did to the account, as the audit log has it. */
const changeEntry = z.object({
  kind: z.literal('change'),
  ...common,
  actorName: z.string(),
  label: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})

/** What runs made of its status: signed in, in need of a person. */
const statusEntry = z.object({
  kind: z.literal('status'),
  ...common,
  before: z.enum(ACCOUNT_STATUSES),
  after: z.enum(ACCOUNT_STATUSES),
  reason: z.string().nullable(),
  error: z.string().nullable(),
})

/** One thing that happened to an account. */
export const timelineEntrySchema = z.discriminatedUnion('kind', [runEntry, changeEntry, statusEntry])
export type TimelineEntry = z.infer<typeof timelineEntrySchema>

export const timelineInput = z.strictObject({
  id,
  /** Where the page before ended. */
  before: timelineCursor.optional(),
  limit: queryInt(z.int().min(1).max(100)).default(30),
})

/** A page of what happened to an account, the latest first; `next` begins the page after it. */
export const timelineSchema = z.object({
  entries: z.array(timelineEntrySchema),
  next: timelineCursor.nullable(),
})
