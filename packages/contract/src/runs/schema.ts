import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'
import type { Machine } from '../core/machine.ts'

export const RUN_CYCLES = ['queued', 'leased', 'running', 'waiting', 'finished'] as const
export type RunCycle = (typeof RUN_CYCLES)[number]
/** `held`: it left to wait, and its item goes on in a new run. */
export const RUN_RESULTS = [
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
  'lost',
  'rejected',
  'held',
] as const
export type RunResult = (typeof RUN_RESULTS)[number]

/**
 * Where a new attempt begins: at the start, or at the step where the last run stood (`retryFromStep` in `can` says that it
 * is known).
 */
export const retryFrom = z.enum(['start', 'step']).default('start')

export type RunEvent = 'claim' | 'start' | 'wait' | 'go' | 'finish'

/** The life cycle of a run; what came of it is its result, kept apart. A finished run never changes. */
export const runMachine: Machine<RunCycle, RunEvent> = {
  initial: 'queued',
  states: {
    queued: { claim: 'leased', finish: 'finished' },
    leased: { start: 'running', finish: 'finished' },
    running: { wait: 'waiting', finish: 'finished' },
    waiting: { go: 'running', finish: 'finished' },
    finished: {},
  },
}

export const runErrorSchema = z.object({
  class: z.string().max(64),
  message: z.string().max(4000),
  stepId: z.string().max(64).nullable(),
  stepName: z.string().max(200).nullable(),
})
export type RunError = z.infer<typeof runErrorSchema>

/** What a browser was handed to a person for: to sign in, to point at an element, to record steps. */
export const ATTENDED_PURPOSES = ['signIn', 'pick', 'record'] as const
export type AttendedPurpose = (typeof ATTENDED_PURPOSES)[number]

export const runSchema = z.object({
  id,
  campaignId: id.nullable(),
  campaignTitle: z.string().nullable(),
  itemId: id.nullable(),
  itemSeq: z.number().int().nullable(),
  attempt: z.number().int(),
  /** Null for an attended run, which has no workflow. */
  workflowId: id.nullable(),
  workflowName: z.string(),
  release: z.number().int().nullable(),
  /** Of an attended run, what for. */
  attended: z.enum(ATTENDED_PURPOSES).nullable(),
  clientId: id,
  clientName: z.string(),
  accountName: z.string().nullable(),
  cycle: z.enum(RUN_CYCLES),
  result: z.enum(RUN_RESULTS).nullable(),
  error: runErrorSchema.nullable(),
  cancelRequestedAt: timestamp.nullable(),
  cancelReason: z.string().nullable(),
  step: z.string().nullable(),
  outputs: z.record(z.string(), z.unknown()).nullable(),
  queuedAt: timestamp,
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  retryOfId: id.nullable(),
  agentVersion: z.string().nullable(),
  browser: z.string().nullable(),
  can: z.array(z.string()),
})
export type Run = z.infer<typeof runSchema>

export const runFileSchema = z.object({
  id,
  kind: z.enum(['screenshot', 'trace', 'download']),
  name: z.string(),
  size: z.number().int(),
  contentType: z.string(),
  stepId: z.string().nullable(),
  path: z.string().nullable(),
  at: timestamp,
})
export type RunFile = z.infer<typeof runFileSchema>

/** One pass through one step. `path` tells the pass apart inside loops, as `post/3/click`. */
export const runStepSchema = z.object({
  path: z.string(),
  stepId: z.string(),
  name: z.string(),
  type: z.string(),
  attempt: z.number().int(),
  /** `waiting`: for a time or a person; in a run that is held it goes on in the next one. */
  state: z.enum(['running', 'waiting', 'succeeded', 'failed', 'skipped', 'cancelled']),
  startedAt: timestamp,
  finishedAt: timestamp.nullable(),
  durationMs: z.number().int().nullable(),
  outcome: z.string().nullable(),
  input: z.unknown(),
  output: z.unknown(),
  error: z.object({ class: z.string(), message: z.string() }).nullable(),
  intent: z.enum(['none', 'announced', 'confirmed']),
  files: z.array(id),
})
export type RunStep = z.infer<typeof runStepSchema>

export const runDetailSchema = runSchema.extend({
  steps: z.array(runStepSchema),
  files: z.array(runFileSchema),
  otherRuns: z.array(
    z.object({ id, attempt: z.number().int(), result: z.enum(RUN_RESULTS).nullable(), queuedAt: timestamp }),
  ),
  /** Reports that came after the run was over; kept as evidence, applied to nothing. */
  lateReports: z.array(z.object({ at: timestamp, kind: z.string(), detail: z.unknown() })),
  logBytes: z.number().int(),
})
export type RunDetail = z.infer<typeof runDetailSchema>

/** One line of a run's log, as the agent writes it: newline-delimited JSON. */
export const logLineSchema = z.object({
  at: z.string(),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  stepId: z.string().nullable(),
  text: z.string(),
})
export type LogLine = z.infer<typeof logLineSchema>
