import { eq, sql } from 'drizzle-orm'
import { activities } from '@weft/contract/activities/api'
import { ALL_ROWS } from '@weft/contract/core/list'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { figuresOf } from './figures.ts'
import { allActivities, type Row } from './rows.ts'
import { activitySetting } from './table.ts'

/** The catalogue of activities. It is small, so a list is made in memory. */
export const activityHandlers: Implementation<typeof activities> = {
  async list(ctx, { q = '', category, enabled, builtIn, page, perPage, sortBy, sortDesc }) {
    const words = q.toLowerCase().split(/\s+/).filter(Boolean)
    const matching = (await allActivities(ctx.tx, ctx)).flatMap(({ row, words: own }) =>
      (category === undefined || row.category === category) &&
      (enabled === undefined || row.enabled === enabled) &&
      (builtIn === undefined || row.builtIn === builtIn) &&
      words.every((word) => own.includes(word))
        ? [row]
        : [],
    )
    const sorted = sortBy
      ? matching.toSorted((a, b) => compare(a[sortBy], b[sortBy]) || compare(a.id, b.id))
      : matching
    if (sortDesc) sorted.reverse()
    const size = perPage === ALL_ROWS ? Math.max(1, sorted.length) : perPage
    return {
      data: sorted.slice((page - 1) * size, page * size),
      totalRecord: sorted.length,
      totalPage: Math.ceil(sorted.length / size),
    }
  },

  get: (ctx, { id }) => find(ctx, id),

  figures: (ctx) => figuresOf(ctx),

  async update(ctx, { id, version, enabled }) {
    const before = await find(ctx, id)
    if (before.version !== version) throw new AppError('record.stale', {}, { current: before })
    await ctx.tx
      .insert(activitySetting)
      .values({ activity: id, enabled, updatedBy: ctx.user.id })
      .onConflictDoUpdate({
        target: activitySetting.activity,
        set: {
          enabled,
          version: sql`${activitySetting.version} + 1`,
          updatedAt: sql`now()`,
          updatedBy: ctx.user.id,
        },
        setWhere: eq(activitySetting.version, version),
      })
    const after = await find(ctx, id)
    // Of two who change it at the same moment, the second is told.
    if (after.version !== version + 1) throw new AppError('record.stale', {}, { current: after })
    ctx.audit({
      feature: 'activities',
      recordId: id,
      before: { enabled: before.enabled },
      after: { enabled },
    })
    ctx.event({ feature: 'activities', id, kind: 'updated' })
    return after
  },
}

async function find(ctx: CallContext, id: string): Promise<Row> {
  const found = (await allActivities(ctx.tx, ctx)).find(({ row }) => row.id === id)
  if (!found) throw new AppError('record.not_found')
  return found.row
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
