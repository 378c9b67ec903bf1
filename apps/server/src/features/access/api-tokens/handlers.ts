import { and, asc, count, eq } from 'drizzle-orm'
import { tokens, type ApiToken } from '@weft/contract/access/tokens/api'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { ACTIONS, SUBJECTS, type Action, type Subject } from '@weft/contract/core/permissions'
import { AppError } from '../../../kit/app-error.ts'
import type { Deps } from '../../../kit/deps.ts'
import { newId } from '../../../kit/id.ts'
import type { Implementation } from '../../../kit/implement.ts'
import { iso } from '../../../kit/record.ts'
import { notifyIdentityChange } from '../identities.ts'
import { requireProof } from '../proof.ts'
import { hashToken } from '../tokens.ts'
import { newApiToken } from './find.ts'
import { apiToken, type ApiTokenRow } from './table.ts'

const TOKENS_MAX = 50
const DAY_MS = 24 * 3_600_000
/** As much of a secret as is shown later: enough to know it again, too little to use it. */
const START_LENGTH = 10

/** One's own API tokens. */
export function tokenHandlers(
  { now, identities }: Pick<Deps, 'now' | 'identities'>,
  endpoints: () => readonly Endpoint[],
): Implementation<typeof tokens> {
  const present = (row: ApiTokenRow): ApiToken => ({
    id: row.id,
    name: row.name,
    start: row.start,
    scopes: row.scopes,
    createdAt: iso(row.createdAt),
    expiresAt: iso(row.expiresAt),
    lastUsedAt: iso(row.lastUsedAt),
    expired: row.expiresAt <= now(),
  })

  return {
    async list(ctx) {
      const rows = await ctx.tx
        .select()
        .from(apiToken)
        .where(eq(apiToken.userId, ctx.user.id))
        .orderBy(asc(apiToken.id))
      return { data: rows.map(present), totalPage: 1, totalRecord: rows.length }
    },

    scopes: (ctx) =>
      Promise.resolve(
        SUBJECTS.map((subject) => ({
          subject,
          actions: asked(endpoints(), subject).filter((action) => ctx.can(action, subject)),
        })).filter(({ actions }) => actions.length > 0),
      ),

    async create(ctx, { name, scopes, days }) {
      await requireProof(ctx, now())
      for (const { subject, actions } of scopes)
        for (const action of actions)
          if (!ctx.can(action, subject)) throw new AppError('token.beyond_own', { action, subject })
      const [have] = await ctx.tx
        .select({ n: count() })
        .from(apiToken)
        .where(eq(apiToken.userId, ctx.user.id))
      if ((have?.n ?? 0) >= TOKENS_MAX) throw new AppError('token.too_many', { maximum: TOKENS_MAX })
      const secret = newApiToken()
      const at = now()
      const row = {
        id: newId(),
        userId: ctx.user.id,
        name,
        hash: hashToken(secret),
        start: secret.slice(0, START_LENGTH),
        scopes,
        createdAt: at,
        expiresAt: new Date(at.getTime() + days * DAY_MS),
        lastUsedAt: null,
      }
      await ctx.tx.insert(apiToken).values(row)
      ctx.audit({ feature: 'users', recordId: ctx.user.id, after: { name, scopes, days } })
      return { token: present(row), secret }
    },

    async remove(ctx, { id }) {
      const [gone] = await ctx.tx
        .delete(apiToken)
        .where(and(eq(apiToken.id, id), eq(apiToken.userId, ctx.user.id)))
        .returning()
      if (!gone) throw new AppError('record.not_found')
      await notifyIdentityChange(ctx.tx)
      ctx.afterCommit(() => identities.forget())
      ctx.audit({ feature: 'users', recordId: ctx.user.id, before: { name: gone.name, scopes: gone.scopes } })
    },
  }
}

/** What calls ask for on a function, in the contract's order. */
function asked(endpoints: readonly Endpoint[], subject: Subject): Action[] {
  const wanted = new Set(
    endpoints.flatMap(({ access }) =>
      typeof access === 'object' && access.subject === subject ? [access.action] : [],
    ),
  )
  return ACTIONS.filter((action) => wanted.has(action))
}
