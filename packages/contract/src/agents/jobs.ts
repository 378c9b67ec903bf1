import { z } from 'zod'
import { HOLD_ENDINGS } from '@weft/workflow/question'
import { id } from '../core/record.ts'
import { ATTENDED_PURPOSES } from '../runs/schema.ts'
import { testScopeSchema } from '../test-runs/schema.ts'
import { seconds } from './sessions.ts'

/** How a long wait ended, with the answers by field and who gave them. */
export const holdEndSchema = z.object({
  ending: z.enum(HOLD_ENDINGS),
  answers: z.record(z.string(), z.unknown()),
  by: z.string().nullable(),
})

/** By what an agent shows that it holds a run. */
export const holder = { runId: id, leaseToken: z.string().min(1).max(100) }
/** Calls about runs take several at once, since an agent's slots tend to report together. */
export const batch = <T extends z.ZodType>(item: T) => z.array(item).min(1).max(64)
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

/** Why a call about a run is refused. */
export const refusal = z.enum(['superseded', 'expired', 'cancelled', 'not_allowed', 'unknown'])
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
