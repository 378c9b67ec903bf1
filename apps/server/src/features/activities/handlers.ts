import { z } from 'zod'
import { activities, type activitySchema } from '@weft/contract/activities/api'
import { ALL_ROWS } from '@weft/contract/core/list'
import { CATALOGUE } from '@weft/workflow/catalogue/catalogue'
import type { ActivityDefinition } from '@weft/workflow/catalogue/activity'
import { AppError } from '../../kit/app-error.ts'
import type { Implementation } from '../../kit/implement.ts'

type Row = z.input<typeof activitySchema>

const ROWS: readonly Row[] = Object.values(CATALOGUE).map((definition) => rowOf(definition))

/** Reading the catalogue. It is small and the same for all, so a list is made in memory. */
export const activityHandlers: Implementation<typeof activities> = {
  async list(_ctx, { q = '', category, page, perPage, sortBy, sortDesc }) {
    const words = q.toLowerCase().split(/\s+/).filter(Boolean)
    const matching = ROWS.filter(
      (row) =>
        (category === undefined || row.category === category) &&
        words.every((word) => row.type.includes(word) || row.category.includes(word)),
    )
    const sorted = sortBy
      ? matching.toSorted((a, b) => compare(a[sortBy], b[sortBy]) || compare(a.type, b.type))
      : matching
    if (sortDesc) sorted.reverse()
    const size = perPage === ALL_ROWS ? Math.max(1, sorted.length) : perPage
    return {
      data: sorted.slice((page - 1) * size, page * size),
      totalRecord: sorted.length,
      totalPage: Math.ceil(sorted.length / size),
    }
  },

  async get(_ctx, { id }) {
    const row = ROWS.find((one) => one.id === id)
    if (!row) throw new AppError('record.not_found')
    return row
  },
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function rowOf(definition: ActivityDefinition): Row {
  return {
    id: definition.type,
    type: definition.type,
    version: definition.version,
    category: definition.category,
    icon: definition.icon,
    sideEffect: definition.sideEffect({}),
    inputSchema: z.toJSONSchema(definition.inputSchema, { io: 'input', unrepresentable: 'any' }),
    outcomes: definition.outcomes({}).map(({ name }) => name),
    enabled: true,
    builtIn: true,
  }
}
