import { z } from 'zod'
import { ADMIN_STATES, browserSchema } from '../clients/schema.ts'
import { id } from '../core/record.ts'

/** Versions of this protocol that a program speaks. A server answers the newest both know; it keeps N and N-1. */
export const PROTOCOL = { min: 1, max: 1 } as const

export const seconds = z.number().min(0)

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
