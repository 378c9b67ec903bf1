import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { clients } from '@weft/contract/clients/api'
import type { AdminState } from '@weft/contract/clients/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { anyOf } from '../../kit/recordset.ts'
import type { CommonCall } from '../../kit/resource.ts'
import { findRecord, newId } from '../../kit/record.ts'
import type { Engine } from '../../engine/engine.ts'
import { hashToken } from '../agents/identity.ts'
import { endRuns } from '../runs/end.ts'
import { diagnose, recentResults } from './diagnose.ts'
import { openJoinCodes, revokeJoinCode } from './join-codes.ts'
import { presentClient } from './present.ts'
import { loadOf } from './samples.ts'
import { client, joinCode, type ClientRow } from './table.ts'

const JOIN_MINUTES = 15
/** Letters and digits that are not mistaken for each other. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const clientSource = {
  table: client,
  subject: 'CLIENT',
  columns: { id: client.id, ownerId: client.ownerId },
} as const

/** Runs not over, by client. */
export async function busyOf(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const result = await tx.execute(sql`
    select client_id as id, count(*)::int as busy from run where finished_at is null and client_id = ${anyOf(ids)} group by client_id`)
  const row = z.object({ id: z.string(), busy: z.number() })
  return new Map(result.rows.map((raw) => [row.parse(raw).id, row.parse(raw).busy]))
}

type Own = Omit<Implementation<typeof clients>, CommonCall>

/** What is done to clients beyond the calls that every resource has. */
export function clientAdminHandlers(engine: Engine, deps: Pick<Deps, 'settings' | 'version' | 'now'>): Own {
  const setAdmin = async (
    ctx: CallContext,
    id: string,
    action: 'UPDATE' | 'DELETE',
    change: { admin: AdminState; note?: string; until?: string },
  ) => {
    const before = await findRecord(ctx, clientSource, id, action, { lock: true })
    if (before.admin === 'revoked') throw new AppError('client.revoked')
    const [after] = await ctx.tx
      .update(client)
      .set({
        admin: change.admin,
        adminNote: change.note ?? null,
        pausedUntil: change.until ? new Date(change.until) : null,
        version: sql`${client.version} + 1`,
        updatedAt: sql`now()`,
      })
      .where(eq(client.id, id))
      .returning()
    if (!after) throw new AppError('record.not_found')
    ctx.audit({ feature: 'clients', recordId: id, before: { admin: before.admin }, after: change })
    ctx.event({ feature: 'clients', id, kind: 'updated', ownerId: after.ownerId })
    ctx.afterCommit(() => {
      engine.deliver(id, { type: 'admin', admin: after.admin, slots: after.thread })
      engine.wake(id)
    })
    return after
  }
  const present = async (ctx: CallContext, row: ClientRow) =>
    presentClient(row, (await busyOf(ctx.tx, [row.id])).get(row.id) ?? 0, ctx, new Date())

  return {
    async joinCode(ctx, { labels, maxSlots }) {
      const code = [...randomBytes(20)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
      const [made] = await ctx.tx
        .insert(joinCode)
        .values({
          id: newId(),
          ownerId: ctx.user.id,
          codeHash: hashToken(code),
          labels,
          maxSlots,
          expiresAt: new Date(Date.now() + JOIN_MINUTES * 60_000),
        })
        .returning()
      if (!made) throw new AppError('system.failed')
      ctx.audit({ feature: 'clients', recordId: made.id, after: { labels, maxSlots } })
      return {
        id: made.id,
        code,
        expiresAt: made.expiresAt.toISOString(),
        command: `npm run agent -- --server ${deps.settings.publicUrl} --join ${code}`,
      }
    },
    joinCodes: (ctx) => openJoinCodes(ctx.tx, ctx.user.id, deps.now()),
    revokeJoinCode: (ctx, { id }) => revokeJoinCode(ctx, id, deps.now()),
    async load(ctx, { id, hours }) {
      await findRecord(ctx, clientSource, id)
      return loadOf(ctx.tx, id, { hours, now: deps.now() })
    },
    async diagnose(ctx, { id }) {
      const row = await findRecord(ctx, clientSource, id)
      return diagnose(row, {
        now: deps.now(),
        version: deps.version,
        busy: (await busyOf(ctx.tx, [id])).get(id) ?? 0,
        recent: await recentResults(ctx.tx, id),
      })
    },
    pause: async (ctx, { id, note, until }) =>
      present(
        ctx,
        await setAdmin(ctx, id, 'UPDATE', {
          admin: 'paused',
          ...(note === undefined ? {} : { note }),
          ...(until === undefined ? {} : { until }),
        }),
      ),
    drain: async (ctx, { id }) => present(ctx, await setAdmin(ctx, id, 'UPDATE', { admin: 'draining' })),
    enable: async (ctx, { id }) => present(ctx, await setAdmin(ctx, id, 'UPDATE', { admin: 'enabled' })),
    async revoke(ctx, { id }) {
      const row = await setAdmin(ctx, id, 'DELETE', { admin: 'revoked' })
      await ctx.tx.update(client).set({ sessionHash: null, publicKey: null }).where(eq(client.id, id))
      const open = await ctx.tx.execute(
        sql`select id from run where client_id = ${id} and finished_at is null`,
      )
      const ended = await endRuns(
        ctx.tx,
        open.rows.map((raw) => ({
          runId: z.object({ id: z.string() }).parse(raw).id,
          result: 'lost' as const,
          error: null,
          outputs: {},
          browser: null,
          accountRejected: false,
        })),
      )
      ctx.afterCommit(() => engine.ended(ended))
      return present(ctx, { ...row, sessionHash: null })
    },
  }
}
