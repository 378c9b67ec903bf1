import { and, asc, eq } from 'drizzle-orm'
import { passkeys, type Passkey } from '@weft/contract/access/passkeys/api'
import { AppError } from '../../../kit/app-error.ts'
import type { Tx } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { prepared, type Implementation } from '../../../kit/implement.ts'
import { iso } from '../../../kit/record.ts'
import { requireProof } from '../proof.ts'
import { dropIdleCodes, twoStepsOf } from '../two-steps/factors.ts'
import { renewRecoveryCodes } from '../two-steps/recovery-codes.ts'
import { keepPasskey, makeOptions } from './make.ts'
import { passkey, type PasskeyRow } from './table.ts'

/** One's own passkeys. */
export function passkeyHandlers(deps: Deps): Implementation<typeof passkeys> {
  const { settings, now } = deps

  return {
    async list(ctx) {
      const rows = await ctx.tx
        .select()
        .from(passkey)
        .where(eq(passkey.userId, ctx.user.id))
        .orderBy(asc(passkey.id))
      return { data: rows.map(present), totalPage: 1, totalRecord: rows.length }
    },

    options: prepared(
      passkeys.options,
      async () => (await deps.system.all()).siteName,
      async (ctx, _input, site) => {
        await requireProof(ctx, now())
        return { options: { ...(await makeOptions(ctx, settings, { site, now: now() })) } }
      },
    ),

    async create(ctx, { name, passkey: made }) {
      await requireProof(ctx, now())
      const row = await keepPasskey(ctx, settings, { name, passkey: made, now: now() })
      const { recoveryCodesLeft } = await twoStepsOf(ctx.tx, ctx.user.id)
      ctx.audit({ feature: 'users', recordId: ctx.user.id, after: { passkey: name } })
      return {
        passkey: present(row),
        recoveryCodes: recoveryCodesLeft > 0 ? [] : await renewRecoveryCodes(ctx.tx, ctx.user.id),
      }
    },

    async rename(ctx, { id, name }) {
      const before = await mine(ctx.tx, ctx.user.id, id)
      await ctx.tx.update(passkey).set({ name }).where(eq(passkey.id, id))
      ctx.audit({
        feature: 'users',
        recordId: ctx.user.id,
        before: { passkey: before.name },
        after: { passkey: name },
      })
      return present({ ...before, name })
    },

    async remove(ctx, { id }) {
      const { name } = await mine(ctx.tx, ctx.user.id, id)
      await requireProof(ctx, now())
      const { totp, passkeys: count, required } = await twoStepsOf(ctx.tx, ctx.user.id)
      if (required && !totp && count === 1) throw new AppError('two_steps.required')
      await ctx.tx.delete(passkey).where(eq(passkey.id, id))
      await dropIdleCodes(ctx.tx, ctx.user.id)
      ctx.audit({ feature: 'users', recordId: ctx.user.id, before: { passkey: name } })
    },
  }
}

/** One of somebody's own passkeys; another's is as good as none. */
async function mine(tx: Tx, userId: string, id: string): Promise<PasskeyRow> {
  const [row] = await tx
    .select()
    .from(passkey)
    .where(and(eq(passkey.id, id), eq(passkey.userId, userId)))
    .for('update')
  if (!row) throw new AppError('record.not_found')
  return row
}

function present(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    createdAt: iso(row.createdAt),
    lastUsedAt: iso(row.lastUsedAt),
    backedUp: row.backedUp,
  }
}
