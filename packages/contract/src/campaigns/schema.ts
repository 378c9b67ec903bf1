import { z } from 'zod'
import { baseRecord, id, notes, tags, timestamp } from '../core/record.ts'
import { CAMPAIGN_STATES, ITEM_STATES } from './states.ts'

export const CAMPAIGN_TYPES = ['publish', 'collect', 'check', 'custom'] as const
export const ATTACHABLE = ['profiles', 'accounts', 'clients', 'proxies', 'videos', 'phones'] as const
export type Attachable = (typeof ATTACHABLE)[number]

/** What one item is made for. */
export const PER = ['account', 'profile', 'phone', 'video'] as const
/**
 * How another resource joins an item: `link` takes the one that the first resource names, `turn` takes them round robin,
 * `one` pairs the first with the first and so on until one side ends, `none` binds none.
 */
export const JOINS = ['link', 'turn', 'one', 'none'] as const

export const pairingSchema = z.strictObject({
  per: z.enum(PER),
  account: z.enum(JOINS).default('none'),
  profile: z.enum(JOINS).default('link'),
  proxy: z.enum(JOINS).default('link'),
  phone: z.enum(JOINS).default('none'),
  video: z.enum(JOINS).default('none'),
})
export type Pairing = z.infer<typeof pairingSchema>

/** When it starts: at once, or at a time. */
export const scheduleSchema = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('now') }),
  z.strictObject({ mode: z.literal('at'), at: timestamp, timeZone: z.string().max(64) }),
])

export const pacingSchema = z.strictObject({
  maxParallel: z.int().min(1).max(10_000).nullable().default(null),
  perAccountPerDay: z.int().min(1).max(100_000).nullable().default(null),
  perDomainPerMinute: z.int().min(1).max(100_000).nullable().default(null),
  /** Seconds between the starts of two items. */
  delaySeconds: z.number().min(0).max(86_400).default(0),
})

export const errorPolicySchema = z.strictObject({
  attempts: z.int().min(1).max(20).default(2),
  /** Seconds before the second attempt; it doubles with each further one. */
  backoffSeconds: z.number().min(0).max(86_400).default(5),
  /** Pause after so many failed items. */
  stopAfter: z.int().min(1).nullable().default(null),
  /** Pause when more than so many percent of at least ten settled items failed. */
  stopAfterPercent: z.int().min(1).max(100).nullable().default(null),
})

const plain = {
  code: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9._-]{1,40}$/),
  title: z.string().trim().min(1).max(200),
  description: z.string().max(10_000),
  type: z.enum(CAMPAIGN_TYPES),
  projectId: id.nullable(),
  workflowId: id.nullable(),
  inputs: z.record(z.string().max(64), z.unknown()),
  pairing: pairingSchema,
  schedule: scheduleSchema,
  pacing: pacingSchema,
  errors: errorPolicySchema,
  priority: z.int().min(0).max(9),
  tags,
  notes,
}

const count = z.number().int()
export const tallySchema = z.object({
  planned: count,
  ready: count,
  leased: count,
  running: count,
  done: count,
  failed: count,
  uncertain: count,
  skipped: count,
  cancelled: count,
})
export type Tally = z.infer<typeof tallySchema>

export const campaignSchema = z.object({
  ...baseRecord,
  ...plain,
  projectName: z.string().nullable(),
  workflowName: z.string().nullable(),
  /** Pinned at start; before, the newest release. */
  release: z.number().int().nullable(),
  state: z.enum(CAMPAIGN_STATES),
  stateReason: z.string().nullable(),
  stateChangedAt: timestamp,
  attached: z.record(z.enum(ATTACHABLE), count),
  tally: tallySchema,
  total: count,
  /** Items settled in the last minute, and the seconds that the rest will take at that rate. */
  ratePerMinute: z.number().nullable(),
  etaSeconds: z.number().nullable(),
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  copiedFromId: id.nullable(),
})
export type Campaign = z.infer<typeof campaignSchema>

export const campaignCreate = {
  ...plain,
  code: plain.code.optional(),
  description: plain.description.default(''),
  type: plain.type.default('custom'),
  projectId: plain.projectId.default(null),
  workflowId: plain.workflowId.default(null),
  inputs: plain.inputs.default({}),
  pairing: pairingSchema.prefault({ per: 'account' }),
  schedule: scheduleSchema.default({ mode: 'now' }),
  pacing: pacingSchema.prefault({}),
  errors: errorPolicySchema.prefault({}),
  priority: plain.priority.default(5),
  tags: tags.default([]),
  notes: notes.default(''),
}
export const campaignUpdate = z.object(plain).partial().shape

/** Why an item is not running yet, as a code with params that the console puts into words. */
export const waitReasonSchema = z.object({
  code: z.enum([
    'wait.activity_disabled',
    'wait.no_client_online',
    'wait.no_free_slot',
    'wait.client_paused',
    'wait.account_leased',
    'wait.profile_leased',
    'wait.proxy_busy',
    'wait.proxy_status',
    'wait.phone_leased',
    'wait.video_leased',
    'wait.video_rights',
    'wait.account_status',
    'wait.resource_gone',
    'wait.quiet_hours',
    'wait.account_limit',
    'wait.account_cooldown',
    'wait.pacing_parallel',
    'wait.pacing_delay',
    'wait.pacing_domain',
    'wait.backoff',
    'wait.held',
    'wait.answer',
    'wait.campaign_paused',
    'wait.maintenance',
    'wait.not_released',
    'wait.next',
  ]),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).default({}),
})
export type WaitReason = z.infer<typeof waitReasonSchema>

export const itemErrorSchema = z.object({
  class: z.string(),
  message: z.string(),
  stepId: z.string().nullable(),
  stepName: z.string().nullable(),
})
const named = z.object({ id, name: z.string() })

export const itemSchema = z.object({
  id,
  campaignId: id,
  seq: z.number().int(),
  state: z.enum(ITEM_STATES),
  attempt: z.number().int(),
  account: named.nullable(),
  profile: named.nullable(),
  proxy: named.nullable(),
  phone: named.nullable(),
  video: named.nullable(),
  client: named.nullable(),
  runId: id.nullable(),
  step: z.string().nullable(),
  progress: z.number().nullable(),
  waitReasons: z.array(waitReasonSchema),
  readyAt: timestamp.nullable(),
  error: itemErrorSchema.nullable(),
  outputs: z.record(z.string(), z.unknown()).nullable(),
  startedAt: timestamp.nullable(),
  settledAt: timestamp.nullable(),
  can: z.array(z.string()),
})
export type Item = z.infer<typeof itemSchema>

/** A resource that the plan leaves out, and why. */
export const exclusionSchema = z.object({
  kind: z.enum(ATTACHABLE),
  id,
  name: z.string(),
  code: z.enum([
    'plan.account_not_usable',
    'plan.profile_not_usable',
    'plan.proxy_not_usable',
    'plan.phone_not_usable',
    'plan.video_not_ready',
    'plan.link_missing',
    'plan.no_partner',
    'plan.not_visible',
    'plan.deleted',
  ]),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).default({}),
})
export type Exclusion = z.infer<typeof exclusionSchema>

export const planSchema = z.object({
  total: count,
  sample: z.array(
    z.object({
      seq: count,
      account: named.nullable(),
      profile: named.nullable(),
      proxy: named.nullable(),
      phone: named.nullable(),
      video: named.nullable(),
    }),
  ),
  exclusions: z.array(exclusionSchema),
  exclusionTotal: count,
  /** Campaigns that hold some of the same resources now. */
  conflicts: z.array(z.object({ id, title: z.string(), shared: count })),
  clients: z.object({ attached: count, online: count, slots: count }),
  /** From past runs of this workflow; null where there are none. */
  estimatedSeconds: z.number().nullable(),
  problems: z.array(z.object({ code: z.string(), params: z.record(z.string(), z.unknown()).default({}) })),
})
export type Plan = z.infer<typeof planSchema>
