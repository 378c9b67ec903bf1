import { and, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Selection } from '@weft/contract/core/record'
import { AppError } from '../app-error.ts'
import type { Decisions, Tx } from '../context.ts'
import { foundBy } from '../list.ts'
import { fieldErrors } from '../parse.ts'
import type { Reader, RecordDefinition } from '../resource/definition.ts'
import { listSource } from '../resource/view.ts'
import { isForTrash, type BulkChange } from './plan.ts'

/** A bulk of no more records is done while its call waits. */
export const FEW = 1000
/** How many records one transaction of a larger one changes. */
export const CHUNK = 2500

/** A checked selection: ids, or the condition of all that match. */
export type Selected = { ids: string[] } | { where: SQL | undefined }

const listInputShape = z.looseObject({ q: z.string().optional() })

/** Which records a selection means, for somebody who may see them. A query that the list would refuse is refused here too. */
export function selected(
  ctx: Pick<Reader, 'scope'> & Pick<Decisions, 'can'>,
  definition: RecordDefinition,
  listInput: z.ZodType,
  selection: Selection,
  { action }: Pick<BulkChange, 'action'>,
): Selected {
  if ('ids' in selection) return { ids: [...new Set(selection.ids)].sort() }
  const parsed = listInput.safeParse(selection.query)
  if (!parsed.success) {
    const errors = fieldErrors(parsed.error, selection.query)
    throw new AppError(
      'request.invalid',
      {},
      { errors: errors.map((error) => ({ ...error, path: `selection.query.${error.path}` })) },
    )
  }
  const input = listInputShape.parse(parsed.data)
  const source = listSource(ctx, definition, { ...input, trashed: isForTrash(action) })
  return { where: and(...source.where, foundBy(input.q, source)) }
}

/** The ids of all that match, or undefined where there are more than one transaction takes. */
export async function fewIds(
  tx: Tx,
  { table }: RecordDefinition,
  what: Selected,
): Promise<string[] | undefined> {
  if ('ids' in what) return what.ids.length > FEW ? undefined : what.ids
  const rows = await tx
    .select({ id: sql<string>`${table.id}` })
    .from(table)
    .where(what.where)
    .limit(FEW + 1)
  return rows.length > FEW ? undefined : rows.map(({ id }) => id).sort()
}

const totalRow = z.object({ total: z.coerce.number() })

/** Writes down all the records that a large bulk is for, as they are now; gives how many. */
export async function listChunks(
  tx: Tx,
  bulkId: string,
  { table }: RecordDefinition,
  what: Selected | { done: string },
): Promise<number> {
  const { rows } = await tx.execute(sql`
    with matching as (${idsQuery(table, what)}),
    numbered as (select id, (row_number() over (order by id) - 1) / ${CHUNK}::int as n from matching),
    written as (
      insert into bulk_chunk (bulk_id, n, ids) select ${bulkId}::uuid, n, array_agg(id order by id) from numbered group by n
      returning cardinality(ids) as size)
    select coalesce(sum(size), 0) as total from written`)
  return totalRow.parse(rows[0]).total
}

function idsQuery(table: RecordDefinition['table'], what: Selected | { done: string }): SQL {
  if ('done' in what) return changedBy(what.done)
  if ('ids' in what) return sql`select id from unnest(${sql.param(what.ids)}::uuid[]) as v (id)`
  return sql`select ${table.id} as id from ${table} where ${what.where ?? sql`true`}`
}

/** The records that a bulk changed, but for those that were put back already by an undo that was ended early. */
export function changedBy(bulkId: string): SQL {
  return sql`
    select r.record_id as id from bulk_row r where r.bulk_id = ${bulkId} and r.version is not null
      and not exists (
        select 1 from bulk u join bulk_row b on b.bulk_id = u.id
        where u.undoes = ${bulkId} and b.record_id = r.record_id and b.version is not null)`
}
