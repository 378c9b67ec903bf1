import { z } from 'zod'
import { LONGEST_HOLD_SECONDS, questionSchema } from '@weft/workflow/question'
import { id } from '../core/record.ts'
import { RUN_RESULTS, runErrorSchema } from '../runs/schema.ts'
import { WORKFLOW_TEST_LIMITS } from '../workflow-tests/schema.ts'
import { batch, holder, refusal } from './jobs.ts'

const at = z.iso.datetime()
const stepRef = { at, path: z.string().max(500), stepId: z.string().max(64) }
/** Numbered from 1 per run without gaps; the server acknowledges the highest number before which none is missing. */
export const runEventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    seq: z.int().min(1),
    type: z.literal('stepStarted'),
    ...stepRef,
    attempt: z.int().min(1),
    name: z.string().max(200),
    activity: z.string().max(64),
    input: z.unknown().optional(),
  }),
  z.strictObject({
    seq: z.int().min(1),
    type: z.literal('stepFinished'),
    ...stepRef,
    attempt: z.int().min(1),
    state: z.enum(['succeeded', 'failed', 'skipped', 'cancelled']),
    outcome: z.string().max(64).nullable(),
    durationMs: z.int().min(0),
    output: z.unknown().optional(),
    error: z.strictObject({ class: z.string().max(64), message: z.string().max(4000) }).nullable(),
  }),
  /** An irreversible step is about to act. The agent waits for this to be acknowledged before it does. */
  z.strictObject({ seq: z.int().min(1), type: z.literal('intent'), ...stepRef }),
  /** The step acted (`done`), or it is certain that it did not (`none`). */
  z.strictObject({
    seq: z.int().min(1),
    type: z.literal('confirm'),
    ...stepRef,
    effect: z.enum(['done', 'none']),
  }),
  z.strictObject({
    seq: z.int().min(1),
    type: z.literal('file'),
    ...stepRef,
    kind: z.enum(['screenshot', 'trace', 'download']),
    name: z.string().max(255),
    sha256: z.string().length(64),
    size: z.int().min(0),
    contentType: z.string().max(100),
  }),
  z.strictObject({
    seq: z.int().min(1),
    type: z.literal('waiting'),
    ...stepRef,
    reason: z.string().max(200),
  }),
  z.strictObject({ seq: z.int().min(1), type: z.literal('going'), ...stepRef }),
  z.strictObject({
    seq: z.int().min(1),
    type: z.literal('notice'),
    ...stepRef,
    level: z.enum(['info', 'warn', 'error']),
    text: z.string().max(4000),
  }),
])
export type RunEventMessage = z.infer<typeof runEventSchema>

export const reportInput = z.strictObject({
  runs: batch(z.strictObject({ ...holder, events: z.array(runEventSchema).min(1).max(500) })),
})
export const reportResultSchema = z.object({
  results: z.array(
    z.object({
      runId: id,
      /** Highest contiguous event number stored. */
      ack: z.number().int(),
      code: z.union([z.literal('ok'), refusal]),
    }),
  ),
})

const waitShape = z.strictObject({
  kind: z.enum(['time', 'question']),
  seconds: z.number().min(0).max(LONGEST_HOLD_SECONDS),
  stepId: z.string().max(64),
  stepName: z.string().max(200).nullable(),
  path: z.string().max(500),
  question: questionSchema.nullable(),
})
const asksOrNot = ({ kind, question }: Pick<z.infer<typeof waitShape>, 'kind' | 'question'>) =>
  (kind === 'question') === (question !== null)
/** A long wait: for a time, or for a person's answer within a time. */
export const waitSchema = waitShape.refine(asksOrNot, { path: ['question'] })
/** What a run may leave to be kept while it is held, as JSON. */
export const HELD_STATE_MAX_BYTES = 1024 * 1024
/**
 * A long wait that a run leaves for, with all that the next one needs. How large its state is the server looks at run by
 * run: one that is too large must not keep the ends of others from being taken.
 */
export const leftSchema = waitShape
  .extend({ state: z.record(z.string(), z.unknown()) })
  .refine(asksOrNot, { path: ['question'] })
export type WaitTold = z.infer<typeof waitSchema>

export const finishInput = z.strictObject({
  runs: batch(
    z.strictObject({
      ...holder,
      result: z.enum(RUN_RESULTS),
      error: runErrorSchema.nullable(),
      outputs: z.record(z.string(), z.unknown()),
      /** Events that were not sent yet may come along, saving a call. */
      events: z.array(runEventSchema).max(500).default([]),
      eventCount: z.int().min(0),
      logBytes: z.int().min(0),
      browser: z.string().max(100).nullable(),
      /** A saved profile, verified on disk and uploaded before. */
      snapshot: z
        .strictObject({
          sha256: z.string().length(64),
          size: z.int().min(1),
          /** When the last of its sign-in cookies ends; null where that is not known. */
          expiresAt: at.nullable().default(null),
        })
        .nullable()
        .default(null),
      /** The page refused the account's credentials. */
      accountRejected: z.boolean().default(false),
      /** Where a retry can go on: kept as it is, and given back as JSON text in its job's `startAt`. */
      checkpoint: z.record(z.string(), z.unknown()).nullable().default(null),
      /** Of a run that left to wait: for what, and all that the next one needs; kept sealed. */
      hold: leftSchema.nullable().default(null),
      /** Of a test run: its variables and the outputs of its steps at the end, secrets masked. */
      values: z
        .strictObject({
          vars: z.record(z.string(), z.unknown()),
          steps: z.record(z.string(), z.record(z.string(), z.unknown())),
          /** The address of the page before each step, the first time it was come to. */
          pages: z.record(z.string().max(48), z.string().max(2000)).default({}),
          /** Whether each expectation holds, in their order. */
          checks: z
            .array(
              z.strictObject({
                holds: z.boolean(),
                message: z.string().max(500).nullable(),
                found: z.string().max(500).nullable().default(null),
                wanted: z.string().max(500).nullable().default(null),
              }),
            )
            .max(WORKFLOW_TEST_LIMITS.expectations)
            .default([]),
        })
        .nullable()
        .default(null),
    }),
  ),
})
export const finishResultSchema = z.object({
  results: z.array(
    z.discriminatedUnion('status', [
      z.object({ runId: id, status: z.literal('accepted') }),
      z.object({ runId: id, status: z.literal('sendMore'), from: z.number().int() }),
      z.object({ runId: id, status: z.literal('superseded') }),
    ]),
  ),
})
