import type { Thrown } from '@weft/contract/trash/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Dash } from '../../kit/values/values.tsx'

const col = columnsOf<Thrown>()

/** The columns of the trash. */
export const trashColumns = [
  col.name('name'),
  col.option('kind'),
  col.date('deletedAt'),
  col.cell('deletedBy', ({ deletedBy }) => (deletedBy ? <bdi>{deletedBy.name}</bdi> : <Dash />), {
    value: ({ deletedBy }) => deletedBy?.name,
  }),
  col.date('goesAt'),
]
