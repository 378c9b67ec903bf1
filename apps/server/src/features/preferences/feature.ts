import { eq, sql } from 'drizzle-orm'
import { preferences } from '@weft/contract/preferences/api'
import { preferencesSchema, type ChosenPreferences } from '@weft/contract/preferences/schema'
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
    })
  },
  visible: {
    preferences: ({ user }) => Promise.resolve(new Set([user.id])),
  },
}

/** What somebody chose; a value that is no choice any more counts as not chosen. */
async function chosenBy(tx: Tx, userId: string): Promise<ChosenPreferences> {
  const rows = await tx
    .select({ name: userPreference.name, value: userPreference.value })
    .from(userPreference)
    .where(eq(userPreference.userId, userId))
  const kept = new Map(rows.map(({ name, value }) => [name, value]))
  const good = Object.entries(preferencesSchema.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(kept.get(name))
    return parsed.success ? [[name, parsed.data]] : []
  })
  return preferencesSchema.partial().parse(Object.fromEntries(good))
}
