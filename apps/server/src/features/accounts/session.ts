import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { SESSION_STATES, type accountSessionSchema } from '@weft/contract/accounts/session'
import type { CallContext } from '../../kit/context.ts'
import { findRecord, iso } from '../../kit/record.ts'
import { sourceOf } from '../../kit/resource/definition.ts'
import { IN_TIME, SESSION } from '../attended-runs/queue.ts'
import { accountResource } from './resource.ts'
import { account } from './table.ts'

const sessionRow = z.object({
  state: z.enum(SESSION_STATES),
  saved_at: z.coerce.date(),
  expires_at: z.coerce.date().nullable(),
})

/** How the kept session of an account stands, by the rule by which the sign-in desk asks for people. */
export async function sessionOf(
  ctx: CallContext,
  { id }: { id: string },
): Promise<z.input<typeof accountSessionSchema>> {
  await findRecord(ctx, sourceOf(accountResource), id)
  const { rows } = await ctx.tx.execute(sql`
    select s.saved_at, s.expires_at, case when s.expires_at <= now() then 'expired'
      when s.expires_at <= now() + ${IN_TIME} then 'expiring' else 'valid' end as state
    from ${account} join ${SESSION} where ${eq(account.id, id)}`)
  const [found] = rows
  if (!found) return { state: 'none', savedAt: null, expiresAt: null }
  const { state, saved_at, expires_at } = sessionRow.parse(found)
  return { state, savedAt: iso(saved_at), expiresAt: iso(expires_at) }
}
