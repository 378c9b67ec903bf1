import { runErrorSchema, RUN_RESULTS } from '@weft/contract/runs/schema'
import type { AgentParams } from '@weft/contract/agents/sessions'
import { secretHandle, type Job } from '@weft/contract/agents/jobs'
import { leftSchema, waitSchema } from '@weft/contract/agents/reports'
import { frameMetaSchema, type AttendInput } from '@weft/contract/attended-runs/schema'
import { jsonObjectSchema, type WorkflowDocument } from '@weft/workflow/document'
import { z } from 'zod'
import type { Browser } from '../machine/browsers.ts'
import { pendingFileSchema } from '../supervisor/journal.ts'

/*
 * What supervisor and executor say to each other. The supervisor's messages are its own; what an executor says is read by
 * a schema, since it works with pages that nobody here wrote.
 */

/** The name of a packed profile in a run's folder. */
export const SNAPSHOT_FILE = 'profile.snapshot'

/** The run that an executor shall do. */
export interface RunOrder {
  type: 'run'
  job: Job
  /** Null where a person has the browser in hand. */
  document: WorkflowDocument | null
  /** The run's own folder; files of the run go into its `files`. */
  folder: string
  browsers: Browser[]
  /** Lists of hosts; an address must be within each list that is not empty. */
  domainLimits: string[][]
  params: Pick<AgentParams, 'cleanupSeconds' | 'artifactCapBytes'>
}

/** An answer to a request of the executor. */
export type Reply = { ok: true; value: unknown } | { ok: false; code: string; message: string }

/** What the supervisor says. */
export type ToExecutor =
  | RunOrder
  | { type: 'cancel'; mode: 'graceful' | 'now'; reason: string }
  | { type: 'reply'; id: number; reply: Reply }
  /** For an attended run: how long it may go on from now, and whether its person is done. */
  | { type: 'attended'; secondsLeft: number; save: boolean }
  /** For an attended run: what its person does. */
  | { type: 'input'; events: AttendInput[] }
  | { type: 'retire' }

const requestSchema = z.discriminatedUnion('kind', [
  /** Write this intent down, tell the server, and answer when it has it. */
  z.strictObject({ kind: z.literal('intent'), event: z.unknown() }),
  z.strictObject({ kind: z.literal('secret'), handle: secretHandle }),
  z.strictObject({ kind: z.literal('workflow'), workflowId: z.uuid(), release: z.int().nullable() }),
  /** Answers with the path of the file in the run's folder. */
  z.strictObject({ kind: z.literal('inputFile'), fileId: z.uuid() }),
  /** Answers with the path of the profile snapshot in the run's folder. */
  z.strictObject({ kind: z.literal('snapshot') }),
  /** Asks whether a wait that does not leave the run is over; answers with how it ended, or null. */
  z.strictObject({ kind: z.literal('wait'), seq: z.int(), wait: waitSchema }),
  /** Brings a picture of an attended run to the server; answers when it is there. The JPEG is in base64. */
  z.strictObject({ kind: z.literal('frame'), meta: frameMetaSchema, jpeg: z.string() }),
])
/** Something that only the supervisor can do. */
export type ExecutorRequest = z.infer<typeof requestSchema>

const endSchema = z.strictObject({
  result: z.enum(RUN_RESULTS),
  error: runErrorSchema.nullable(),
  outputs: z.record(z.string(), z.unknown()),
  browser: z.string().max(100).nullable(),
  /** A packed profile in the run's folder, verified. */
  snapshot: z.strictObject({ file: z.string(), expiresAt: z.iso.datetime().nullable() }).nullable(),
  accountRejected: z.boolean(),
  /** Where a retry can go on. */
  checkpoint: z.record(z.string(), z.unknown()).nullable(),
  /** Of a run that left to wait: for what, and what the next one needs. */
  hold: leftSchema.nullable(),
  /** Of a test run: what it leaves for the next one. */
  values: z
    .strictObject({
      vars: z.record(z.string(), z.unknown()),
      steps: z.record(z.string(), jsonObjectSchema),
      pages: z.record(z.string(), z.string()),
      checks: z.array(
        z.strictObject({
          holds: z.boolean(),
          message: z.string().nullable(),
          found: z.string().nullable(),
          wanted: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
})
/** How a run ended, as its executor tells it. */
export type RunEnd = z.infer<typeof endSchema>

/** What the end of a run tells that has nothing more to tell. */
export const EMPTY_END = {
  outputs: {},
  browser: null,
  snapshot: null,
  accountRejected: false,
  checkpoint: null,
  hold: null,
  values: null,
} satisfies Partial<RunEnd>

/** What an executor says. */
export const fromExecutorSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('event'), event: z.unknown() }),
  z.strictObject({ type: z.literal('log'), text: z.string() }),
  z.strictObject({ type: z.literal('file'), file: pendingFileSchema }),
  z.strictObject({ type: z.literal('request'), id: z.int(), request: requestSchema }),
  z.strictObject({ type: z.literal('browser'), open: z.boolean() }),
  z.strictObject({ type: z.literal('ended'), end: endSchema }),
])
/** What an executor says. */
export type FromExecutor = z.infer<typeof fromExecutorSchema>
