import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import {
  type AgentParams,
  type AgentSession,
  PROTOCOL,
  sessionPayload,
  type registerInput,
  type sessionInput,
} from '@weft/contract/agents/sessions'
import { AppError } from '../../kit/app-error.ts'
import { newId } from '../../kit/id.ts'
import type { Tx } from '../../kit/context.ts'
import { requireRoom } from '../../kit/quota.ts'
import { newClientKey } from '../clients/client-key.ts'
import { client, joinCode, type ClientRow } from '../clients/table.ts'

const SESSION_SECONDS = 3600
const NONCE_SECONDS = 60

/** How secrets that only need to be recognised are kept. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/**
 * Uses up a join code and makes a client of it. The same machine with the same key that asks again, since the answer was
 * lost on its way, is the client that it became the first time.
 */
export async function register(
  tx: Tx,
  input: z.output<typeof registerInput>,
  publicIp: string,
): Promise<{ row: ClientRow; isNew: boolean }> {
  const [code] = await tx
    .update(joinCode)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(joinCode.codeHash, hashToken(input.joinCode)),
        isNull(joinCode.usedAt),
        sql`${joinCode.expiresAt} > now()`,
      ),
    )
    .returning()
  if (!code) return { row: await registeredBefore(tx, input), isNew: false }
  await requireRoom(tx, code.ownerId, 'clients')
  const [made] = await tx
    .insert(client)
    .values({
      id: newId(),
      ownerId: code.ownerId,
      createdBy: code.ownerId,
      clientKey: newClientKey(),
      name: input.name,
      labels: [...new Set([...code.labels, ...input.labels])],
      os: input.os,
      arch: input.arch,
      publicIp,
      machineId: input.machineId,
      publicKey: input.publicKey,
      thread: Math.min(input.slots, code.maxSlots),
      maxSlots: code.maxSlots,
      agentVersion: input.versions.agent,
      browsers: input.versions.browsers,
    })
    .returning()
  if (!made) throw new AppError('system.failed')
  await tx.update(joinCode).set({ clientId: made.id }).where(eq(joinCode.id, code.id))
  return { row: made, isNew: true }
}

async function registeredBefore(tx: Tx, input: z.output<typeof registerInput>): Promise<ClientRow> {
  const [found] = await tx
    .select({ row: client })
    .from(joinCode)
    .innerJoin(client, eq(client.id, joinCode.clientId))
    .where(
      and(
        eq(joinCode.codeHash, hashToken(input.joinCode)),
        sql`${joinCode.expiresAt} > now()`,
        eq(client.publicKey, input.publicKey),
        eq(client.machineId, input.machineId),
        sql`${client.admin} <> 'revoked'`,
        isNull(client.deletedAt),
      ),
    )
  if (!found) throw new AppError('agent.wrong_code')
  return found.row
}

/** A nonce for a client to sign. An unknown client gets one too, so that ids cannot be probed. */
export async function challenge(tx: Tx, clientId: string): Promise<string> {
  const nonce = randomBytes(24).toString('base64url')
  await tx
    .update(client)
    .set({ nonce, nonceExpiresAt: sql`now() + make_interval(secs => ${NONCE_SECONDS})` })
    .where(eq(client.id, clientId))
  return nonce
}

/**
 * Opens a session. While another instance of the same identity is alive the second is refused, unless it is the same
 * machine's own successor.
 */
export async function openSession(
  tx: Tx,
  input: z.output<typeof sessionInput>,
  params: AgentParams,
  publicIp: string,
): Promise<AgentSession> {
  const [found] = await tx.select().from(client).where(eq(client.id, input.clientId)).for('update')
  if (!found || !signatureHolds(found, input)) throw new AppError('agent.wrong_signature')
  if (found.admin === 'revoked' || found.deletedAt) throw new AppError('client.revoked')
  if (input.versions.protocolMax < PROTOCOL.min || input.versions.protocolMin > PROTOCOL.max)
    throw new AppError('agent.unsupported_protocol', { min: PROTOCOL.min, max: PROTOCOL.max })
  const alive =
    found.sessionHash !== null &&
    found.lastSeenAt !== null &&
    Date.now() - found.lastSeenAt.getTime() < params.lostSeconds * 1000
  const successor = input.previousInstanceId === found.instanceId && input.machineId === found.machineId
  if (alive && input.instanceId !== found.instanceId && !successor)
    throw new AppError('agent.session_conflict')
  const token = randomBytes(32).toString('base64url')
  const slots = found.thread
  await tx
    .update(client)
    .set({
      sessionHash: hashToken(token),
      sessionExpiresAt: sql`now() + make_interval(secs => ${SESSION_SECONDS})`,
      instanceId: input.instanceId,
      machineId: input.machineId,
      nonce: null,
      nonceExpiresAt: null,
      heartbeatSeq: 0,
      agentState: 'running',
      refusing: null,
      lastSeenAt: sql`now()`,
      publicIp,
      agentVersion: input.versions.agent,
      browsers: input.versions.browsers,
    })
    .where(eq(client.id, found.id))
  return {
    clientId: found.id,
    clientKey: found.clientKey,
    name: found.name,
    token,
    expiresInSeconds: SESSION_SECONDS,
    protocol: Math.min(PROTOCOL.max, input.versions.protocolMax),
    clockSkewSeconds: Math.round((Date.parse(input.clock) - Date.now()) / 1000),
    admin: found.admin,
    slots,
    params,
    updateOnly: false,
  }
}

/** A fresh token for a session that is over half its life; the old one ends with it. */
export async function renewToken(tx: Tx, row: ClientRow): Promise<string | null> {
  const left = (row.sessionExpiresAt?.getTime() ?? 0) - Date.now()
  if (left > (SESSION_SECONDS * 1000) / 2) return null
  const token = randomBytes(32).toString('base64url')
  await tx
    .update(client)
    .set({
      sessionHash: hashToken(token),
      sessionExpiresAt: sql`now() + make_interval(secs => ${SESSION_SECONDS})`,
    })
    .where(eq(client.id, row.id))
  return token
}

export const TOKEN_SECONDS = SESSION_SECONDS

function signatureHolds(row: ClientRow, input: z.output<typeof sessionInput>): boolean {
  if (!row.publicKey || !row.nonce || row.nonce !== input.nonce) return false
  if (!row.nonceExpiresAt || row.nonceExpiresAt.getTime() < Date.now()) return false
  try {
    const key = createPublicKey({ key: Buffer.from(row.publicKey, 'base64'), format: 'der', type: 'spki' })
    const payload = sessionPayload({ clientId: row.id, nonce: input.nonce, instanceId: input.instanceId })
    return verify(null, Buffer.from(payload), key, Buffer.from(input.signature, 'base64'))
  } catch {
    // A key or signature that cannot be read is as wrong as one that does not fit.
    return false
  }
}
