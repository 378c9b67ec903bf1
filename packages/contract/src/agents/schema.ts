import { z } from 'zod'
import { HOLD_ENDINGS, LONGEST_HOLD_SECONDS, questionSchema } from '@weft/workflow/question'
import { ADMIN_STATES, browserSchema } from '../clients/schema.ts'
import { id } from '../core/record.ts'
import { ATTENDED_PURPOSES, RUN_RESULTS, runErrorSchema } from '../runs/schema.ts'
import { testScopeSchema } from '../test-runs/schema.ts'
import { WORKFLOW_TEST_LIMITS } from '../workflow-tests/schema.ts'

/** Versions of this protocol that a program speaks. A server answers the newest both know; it keeps N and N-1. */
export const PROTOCOL = { min: 1, max: 1 } as const

const seconds = z.number().min(0)

/** How a long wait ended, with the answers by field and who gave them. */
export const holdEndSchema = z.object({
  ending: z.enum(HOLD_ENDINGS),
  answers: z.record(z.string(), z.unknown()),
  by: z.string().nullable(),
})

/** Times and sizes that the server gives, at session open and whenever they change. */
export const agentParamsSchema = z.object({
  heartbeatSeconds: seconds,
  lateSeconds: seconds,
  lostSeconds: seconds,
  leaseSeconds: seconds,
  renewSeconds: seconds,
  offerSeconds: seconds,
  logFlushMs: z.number(),
  chunkBytes: z.number().int(),
  logCapBytes: z.number().int(),
  artifactCapBytes: z.number().int(),
  cancelGraceSeconds: seconds,
  cleanupSeconds: seconds,
  drainSeconds: seconds,
})
export type AgentParams = z.infer<typeof agentParamsSchema>

export const DEFAULT_AGENT_PARAMS: AgentParams = {
  heartbeatSeconds: 15,
  lateSeconds: 45,
  lostSeconds: 90,
  leaseSeconds: 60,
  renewSeconds: 15,
  offerSeconds: 20,
  logFlushMs: 500,
  chunkBytes: 65_536,
  logCapBytes: 8 * 1024 * 1024,
  artifactCapBytes: 64 * 1024 * 1024,
  cancelGraceSeconds: 20,
  cleanupSeconds: 10,
  drainSeconds: 900,
}

const short = z.string().min(1).max(200)

export const agentVersionsSchema = z.strictObject({
  agent: short,
  protocolMin: z.int(),
  protocolMax: z.int(),
  playwright: short,
  node: short,
  browsers: z.array(browserSchema).max(20),
})

export const registerInput = z.strictObject({
  joinCode: z.string().min(1).max(200),
  /** Ed25519, SPKI, base64. */
  publicKey: z.string().min(1).max(200),
  /** Fingerprint of machine and data folder: two copies of one identity differ in it. */
  machineId: short,
  name: z.string().trim().min(1).max(120),
  os: short,
  arch: short,
  slots: z.int().min(1).max(64),
  labels: z.array(z.string().max(40)).max(30).default([]),
  versions: agentVersionsSchema,
})

/** What an agent signs to open a session: the challenge's nonce, its id and its instance, parted by newlines. */
export function sessionPayload(session: { clientId: string; nonce: string; instanceId: string }): string {
  return ['weft-agent-session', session.clientId, session.nonce, session.instanceId].join('\n')
}

export const sessionInput = z.strictObject({
  clientId: id,
  nonce: z.string().min(1).max(100),
  /** Made anew by each start of the program. */
  instanceId: z.uuid(),
  /** The instance before it in the same data folder: a restarted agent takes its own session over. */
  previousInstanceId: z.uuid().nullable(),
  machineId: short,
  signature: z.string().min(1).max(200),
  clock: z.iso.datetime(),
  slots: z.int().min(1).max(64),
  versions: agentVersionsSchema,
})

export const sessionSchema = z.object({
  clientId: id,
  clientKey: z.string(),
  name: z.string(),
  token: z.string(),
  expiresInSeconds: z.number(),
  protocol: z.number().int(),
  /** Seconds that the agent's clock is ahead of the server's; leases use durations, so this only informs. */
  clockSkewSeconds: z.number(),
  admin: z.enum(ADMIN_STATES),
  slots: z.number().int(),
  params: agentParamsSchema,
  /** Below the minimum version: only an update may be fetched. */
  updateOnly: z.boolean(),
})
export type AgentSession = z.infer<typeof sessionSchema>

/** What the server tells an agent: on the stream, and again in the heartbeat's answer until it is obsolete. */
export const commandSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('offer'),
    runId: id,
    attempt: z.number().int(),
    leaseToken: z.string(),
    deadlineSeconds: seconds,
  }),
  z.object({
    type: z.literal('cancel'),
    runId: id,
    mode: z.enum(['graceful', 'now']),
    graceSeconds: seconds,
    reason: z.string(),
  }),
  z.object({ type: z.literal('admin'), admin: z.enum(ADMIN_STATES), slots: z.number().int() }),
  z.object({ type: z.literal('params'), params: agentParamsSchema }),
  /** How long an attended run may go on from now, and whether its person is done: close the browser and save. */
  z.object({ type: z.literal('attended'), runId: id, secondsLeft: seconds, save: z.boolean() }),
  /** What the person does, sealed; on the stream only. `at` is the server's clock. */
  z.object({ type: z.literal('input'), runId: id, at: z.iso.datetime(), sealed: z.string().max(2_000_000) }),
])
export type AgentCommand = z.infer<typeof commandSchema>
/** The stream's `send` carries `{ method: 'command', message: AgentCommand }`. */
export const AGENT_COMMAND_METHOD = 'command'

export const heartbeatInput = z.strictObject({
  seq: z.int().min(0),
  clock: z.iso.datetime(),
  slots: z
    .array(
      z.strictObject({
        slot: z.int().min(0).max(63),
        runId: id.nullable(),
        step: z.string().max(200).nullable(),
      }),
    )
    .max(64),
  freeSlots: z.int().min(0).max(64),
  userIns: z.int().min(0).max(1000),
  cpu: z.number().min(0).max(100).nullable(),
  memMb: z.int().min(0).nullable(),
  diskFreeMb: z.int().min(0).nullable(),
  localIp: z.string().max(64).nullable(),
  /** Why it takes no offers just now, such as `disk_full`. */
  refusing: z.string().max(60).nullable(),
  /** Told before it acts: it drains, it stops. */
  state: z.enum(['running', 'draining', 'stopping']),
})
export type Heartbeat = z.infer<typeof heartbeatInput>

const holder = { runId: id, leaseToken: z.string().min(1).max(100) }
const batch = <T extends z.ZodType>(item: T) => z.array(item).min(1).max(64)
/** Calls about runs take several at once, since an agent's slots tend to report together. */
export const claimInput = z.strictObject({ claims: batch(z.strictObject(holder)) })
export const startInput = z.strictObject({ runs: batch(z.strictObject(holder)) })
export const renewInput = z.strictObject({ runs: batch(z.strictObject(holder)) })
export const rejectInput = z.strictObject({
  runs: batch(z.strictObject({ ...holder, reason: z.string().min(1).max(200) })),
})

const named = z.object({ id, name: z.string() })
export const jobSchema = z.object({
  runId: id,
  attempt: z.number().int(),
  /** Fencing number: reports with a lower one are ignored. */
  fence: z.number().int(),
  campaign: z.object({ id, title: z.string() }).nullable(),
  itemSeq: z.number().int().nullable(),
  /** Null for an attended run. */
  workflow: z
    .object({
      id,
      name: z.string(),
      /** Null for a test run: what it runs is in no release. */
      release: z.number().int().nullable(),
      /** SHA-256 of the canonical JSON document; fetched by it, and kept, since many jobs share one. */
      hash: z.string(),
    })
    .nullable(),
  /** A test run: the part to be run, and outputs that stand in for steps; it begins with what `startAt` holds. */
  test: z
    .object({
      part: testScopeSchema,
      pins: z.record(z.string(), z.record(z.string(), z.unknown())),
      /** The address of the page on which the part begins; null where none is known. */
      page: z.string().max(2000).nullable().default(null),
      /** Of a workflow test: expressions that must hold at the end. */
      expectations: z.array(z.string()).default([]),
    })
    .nullable()
    .default(null),
  /** The browser is handed to a person: where it begins, and for how long. */
  attended: z
    .object({ url: z.string(), seconds, purpose: z.enum(ATTENDED_PURPOSES).default('signIn') })
    .nullable()
    .default(null),
  /** The project that the workflow belongs to, with its variables as they were when the run began. */
  project: named
    .extend({ variables: z.record(z.string(), z.unknown()) })
    .nullable()
    .default(null),
  /** Values of the workflow's inputs, plain. */
  inputs: z.record(z.string(), z.unknown()),
  account: named
    .extend({
      type: z.string(),
      username: z.string(),
      displayName: z.string().nullable(),
      email: z.string().nullable(),
      channelName: z.string().nullable(),
      /** Secrets are fetched one by one with the run's lease; here only which there are. */
      secrets: z.array(z.enum(['password', 'totpSeed', 'recoveryCodes'])),
    })
    .nullable(),
  profile: named
    .extend({
      browserType: z.string(),
      locale: z.string().nullable(),
      timeZone: z.string().nullable(),
      startUrls: z.array(z.string()),
      snapshot: z.object({ sha256: z.string(), size: z.number().int() }).nullable(),
      device: z
        .object({
          viewport: z.object({ width: z.number(), height: z.number() }),
          scale: z.number(),
          touch: z.boolean(),
          mobile: z.boolean(),
          userAgent: z.string().nullable(),
          colorScheme: z.enum(['light', 'dark']).nullable().default(null),
        })
        .nullable(),
    })
    .nullable(),
  proxy: named
    .extend({
      protocol: z.string(),
      host: z.string(),
      port: z.number().int(),
      username: z.string().nullable(),
      hasPassword: z.boolean(),
    })
    .nullable(),
  phone: named.extend({ phoneNumber: z.string() }).nullable(),
  video: named.extend({ fileId: id, fileName: z.string() }).nullable(),
  /** Hosts the browser and the HTTP step may reach; empty means none is closed. */
  allowedDomains: z.array(z.string()),
  /** What a held run went on with: its state as its agent told it, how the wait ended, and what its browser kept. */
  goOn: z
    .object({
      state: z.record(z.string(), z.unknown()),
      end: holdEndSchema,
      snapshot: z.object({ sha256: z.string(), size: z.number().int() }).nullable(),
    })
    .nullable()
    .default(null),
  /** Where to go on, for a retry from a step: its id, or the checkpoint of the earlier run as JSON text. */
  startAt: z.string().nullable(),
})
export type Job = z.infer<typeof jobSchema>

/** The bytes that the server signs: the job as JSON with keys in order. */
export const signedJobSchema = z.object({ job: jobSchema, signature: z.string() })

/** Secrets of the account and the proxy that a run binds. */
export const BOUND_SECRETS = [
  'account.password',
  'account.totpSeed',
  'account.recoveryCodes',
  'proxy.password',
] as const
/** What a run can ask for: a secret of what it binds, or one of its project's, by name. */
export const secretHandle = z.union([
  z.enum(BOUND_SECRETS),
  z.templateLiteral(['project.', z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/)]),
])
export type SecretHandle = z.infer<typeof secretHandle>

const refusal = z.enum(['superseded', 'expired', 'cancelled', 'not_allowed', 'unknown'])
export type AgentRefusal = z.infer<typeof refusal>

export const claimResultSchema = z.object({
  results: z.array(
    z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), runId: id, leaseSeconds: seconds, signed: signedJobSchema }),
      z.object({ ok: z.literal(false), runId: id, code: refusal }),
    ]),
  ),
})
const cancelOrder = z.object({ mode: z.enum(['graceful', 'now']), graceSeconds: seconds, reason: z.string() })
export const leaseResultSchema = z.object({
  results: z.array(
    z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), runId: id, leaseSeconds: seconds, cancel: cancelOrder.nullable() }),
      z.object({ ok: z.literal(false), runId: id, code: refusal }),
    ]),
  ),
})

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
