import { activities } from '@weft/contract/activities/api'
import { ALL_ROWS } from '@weft/contract/core/list'
import type { Implementation } from '../../kit/implement.ts'
import { createActivity, removeActivity, restoreActivity, updateActivity } from './change.ts'
import { figuresOf } from './figures.ts'
import { allActivities, oneActivity } from './rows.ts'
import { upgradeUsers, usersOf } from './upgrade.ts'

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

  get: (ctx, { id, number }) => oneActivity(ctx.tx, ctx, id, number),
  figures: (ctx) => figuresOf(ctx),
  create: createActivity,
  update: updateActivity,
  remove: (ctx, { id }) => removeActivity(ctx, id),
  restore: restoreActivity,
  users: (ctx, { id }) => usersOf(ctx, id),
  upgrade: upgradeUsers,
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
