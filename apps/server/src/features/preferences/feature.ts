import { and, eq, like, notLike, sql } from 'drizzle-orm'
import { preferences } from '@weft/contract/preferences/api'
import { preferencesSchema, type ChosenPreferences } from '@weft/contract/preferences/schema'
import { arrangementSchema, type Arrangement } from '@weft/contract/views/schema'
import { AppError } from '../../kit/app-error.ts'
import type { Tx } from '../../kit/context.ts'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { appUser } from '../access/table.ts'
import { userPreference } from './table.ts'

/** How each person wants the console to look, on every device of theirs. */
export const preferencesFeature: Feature = {
  name: 'preferences',
  mount(app) {
    implement(app, preferences, {
      get: (ctx) => chosenBy(ctx.tx, ctx.user.id),

      async change(ctx, changes) {
        const { id } = ctx.user
        const rows = Object.entries(changes).map(([name, value]) => ({ userId: id, name, value }))
        if (rows.length === 0) return chosenBy(ctx.tx, id)
        await ctx.tx
          .insert(userPreference)
          .values(rows)
          .onConflictDoUpdate({
            target: [userPreference.userId, userPreference.name],
            set: { value: sql`excluded.value`, updatedAt: sql`now()` },
          })
        // Mails come in the same language.
        if (changes.language)
          await ctx.tx.update(appUser).set({ locale: changes.language }).where(eq(appUser.id, id))
        ctx.event({ feature: 'preferences', id, kind: 'updated', ownerId: id })
        return chosenBy(ctx.tx, id)
      },

      arrangements: (ctx) => arrangedBy(ctx.tx, ctx.user.id),

      async arrange(ctx, { list, columns }) {
        const { id } = ctx.user
        const name = LIST + list
        if (!app.endpoints.some((one) => one.list && one.name === list.split('#', 1)[0]))
          throw new AppError('link.not_found', { field: 'list' })
        const own = and(eq(userPreference.userId, id), eq(userPreference.name, name))
        if (columns === null) await ctx.tx.delete(userPreference).where(own)
        else
          await ctx.tx
            .insert(userPreference)
            .values({ userId: id, name, value: columns })
            .onConflictDoUpdate({
              target: [userPreference.userId, userPreference.name],
              set: { value: columns, updatedAt: sql`now()` },
            })
        // A list's name may end in anything after its `#`: what was arranged longest ago makes room.
        await ctx.tx.execute(sql`
          delete from user_preference where user_id = ${id} and name in (
            select name from user_preference where user_id = ${id} and name like ${`${LIST}%`}
            order by updated_at desc offset ${MAX_LISTS})`)
        ctx.event({ feature: 'preferences', id, kind: 'updated', ownerId: id })
        return arrangedBy(ctx.tx, id)
      },
    })
  },
  visible: {
    preferences: ({ user }) => Promise.resolve(new Set([user.id])),
  },
}

/** What the names of arrangements begin with, among the other preferences. */
const LIST = 'list:'
const MAX_LISTS = 200

/** How somebody arranged the columns of each list; what cannot be read any more counts as not arranged. */
async function arrangedBy(tx: Tx, userId: string): Promise<Record<string, Arrangement>> {
  const rows = await tx
    .select({ name: userPreference.name, value: userPreference.value })
    .from(userPreference)
    .where(and(eq(userPreference.userId, userId), like(userPreference.name, `${LIST}%`)))
  return Object.fromEntries(
    rows.flatMap(({ name, value }) => {
      const parsed = arrangementSchema.safeParse(value)
      return parsed.success ? [[name.slice(LIST.length), parsed.data]] : []
    }),
  )
}

/** What somebody chose; a value that is no choice any more counts as not chosen. */
async function chosenBy(tx: Tx, userId: string): Promise<ChosenPreferences> {
  const rows = await tx
    .select({ name: userPreference.name, value: userPreference.value })
    .from(userPreference)
    .where(and(eq(userPreference.userId, userId), notLike(userPreference.name, `${LIST}%`)))
  const kept = new Map(rows.map(({ name, value }) => [name, value]))
  const good = Object.entries(preferencesSchema.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(kept.get(name))
    return parsed.success ? [[name, parsed.data]] : []
  })
  return preferencesSchema.partial().parse(Object.fromEntries(good))
}
