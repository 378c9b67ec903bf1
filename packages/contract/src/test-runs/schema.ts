import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'
import { logLineSchema, RUN_CYCLES, RUN_RESULTS, runErrorSchema, runStepSchema } from '../runs/schema.ts'

/** How many steps one person may pin in one workflow, and how large one pinned output may be. */
export const PIN_LIMITS = { pins: 100, bytes: 64 * 1024 } as const
/** How much of the variables, inputs and outputs of a test run is kept for the next one, in bytes of JSON. */
export const TEST_VALUES_MAX_BYTES = 512 * 1024
/** How many test runs of one person are kept for each workflow; older ones go when a new one starts. */
export const TEST_RUNS_KEPT = 50

const activityId = z.string().min(1).max(48)

/**
 * What of the workflow is run: all of it; one step, with what the last test run left; or a step and all that comes after
 * it, with what the last test run left. Of a step within a loop, its first round.
 */
export const testScopeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('whole') }),
  z.strictObject({ kind: z.literal('step'), activityId }),
  z.strictObject({ kind: z.literal('from'), activityId }),
])
export type TestScope = z.infer<typeof testScopeSchema>

/** What a test run is given to work with; where a profile or proxy is left out, the account's own is taken. */
export const testResourcesSchema = z.strictObject({
  accountId: id.optional(),
  profileId: id.optional(),
  proxyId: id.optional(),
  phoneId: id.optional(),
  videoId: id.optional(),
})
export type TestResources = z.infer<typeof testResourcesSchema>

const named = z.object({ id, name: z.string() }).nullable()

/** A test run as its start and its history tell it; `runs.get` has its steps and files, `runs.log` its log. */
export const testRunSchema = z.object({
  /** The id of the run. */
  id,
  workflowId: id,
  scope: testScopeSchema,
  /** The SHA-256 of the document that is run. */
  documentHash: z.string(),
  clientId: id,
  clientName: z.string(),
  startedById: id,
  startedByName: z.string(),
  mine: z.boolean(),
  /** What was given, but for secret inputs. */
  inputs: z.record(z.string(), z.unknown()),
  account: named,
  profile: named,
  proxy: named,
  phone: named,
  video: named,
  /** The steps whose pinned output stands in for them. */
  pinned: z.array(z.string()),
  cycle: z.enum(RUN_CYCLES),
  result: z.enum(RUN_RESULTS).nullable(),
  error: runErrorSchema.nullable(),
  /** Where it is, or was last. */
  step: z.string().nullable(),
  cancelRequestedAt: timestamp.nullable(),
  queuedAt: timestamp,
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  /** Of `cancel`, by `runs.cancel`. */
  can: z.array(z.string()),
})
export type TestRun = z.infer<typeof testRunSchema>

/** A long wait that a test run is in; it keeps its browser meanwhile. */
export const testWaitSchema = z.object({
  /** Of one for an answer, the id of the question. */
  id,
  kind: z.enum(['time', 'question']),
  stepId: z.string(),
  stepName: z.string().nullable(),
  dueAt: timestamp,
})
export type TestWait = z.infer<typeof testWaitSchema>

/** An output that stands in for a step in the test runs of one person. */
export const pinSchema = z.object({
  workflowId: id,
  activityId: z.string(),
  output: z.record(z.string(), z.unknown()),
  /** The test run that it was taken from. */
  runId: id.nullable(),
  at: timestamp,
})
export type Pin = z.infer<typeof pinSchema>

/** What the newest test run of a person left, for previews; secrets are masked. */
export const lastValuesSchema = z.object({
  /** Null where there was none yet. */
  runId: id.nullable(),
  at: timestamp.nullable(),
  inputs: z.record(z.string(), z.unknown()),
  /** Variables; empty while the run is not over, and where its agent was lost. */
  vars: z.record(z.string(), z.unknown()),
  /** The last output of each step, what stands in for pinned ones included. */
  steps: z.record(z.string(), z.record(z.string(), z.unknown())),
  /** The item that expressions see: account, profile, proxy, phone, video. */
  item: z.record(z.string(), z.unknown()),
  /** The steps whose output was too large to be kept whole. */
  shortened: z.array(z.string()),
})
export type LastValues = z.infer<typeof lastValuesSchema>

/** A step as the hub tells it: enough to paint it. `runs.get` has input, output and screenshots. */
export const liveStepSchema = z.object({
  ...runStepSchema.pick({
    path: true,
    stepId: true,
    attempt: true,
    state: true,
    durationMs: true,
    outcome: true,
    error: true,
  }).shape,
  at: z.string(),
})
export type LiveStep = z.infer<typeof liveStepSchema>

/**
 * The message of the hub method `testWorkflowLog`, to the person who started the test run: lines of the log and changes of
 * steps as they come, in their order. Best effort, as with `runLog`: what is stored is exact.
 */
export const testRunMessageSchema = z.object({
  runId: id,
  workflowId: id,
  lines: z.array(logLineSchema),
  steps: z.array(liveStepSchema),
  /** True with the last one: the run is over, and `runs.get` says how. */
  ended: z.boolean(),
})
export type TestRunMessage = z.infer<typeof testRunMessageSchema>
