import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { BulkPreview } from '@weft/contract/bulks/schema'
import { MAX_TAGS } from '@weft/contract/core/record'
import type { CallContext } from '../context.ts'
import { anyOf } from '../recordset.ts'
import { scopeColumns, type RecordDefinition } from '../resource/definition.ts'
import { bulkInput, changeOf } from './begin.ts'
import { staysInTrash } from './purge.ts'
import { isForTrash, rightFor, type BulkChange } from './plan.ts'
import { selected } from './select.ts'

const EXAMPLES = 5

const found = z.object({
  code: z.string().nullable(),
  count: z.coerce.number(),
  examples: z.array(z.object({ id: z.string(), name: z.string() })),
})

/** What a bulk would do, as far as it is known beforehand; two that would become the same are only found when it is done. */
export async function previewMany(
  ctx: CallContext,
  definition: RecordDefinition,
  listInput: z.ZodType,
  rawInput: object,
): Promise<BulkPreview> {
  const input = bulkInput.parse(rawInput)
  const change = changeOf(input)
  const what = selected(ctx, definition, listInput, input.selection, change)
  const { table, subject, name } = definition
  const where =
    'ids' in what
      ? sql`${table.id} = ${anyOf(what.ids)} and ${ctx.scope('VIEW', subject, scopeColumns(table))}
          and ${table.deletedAt} is ${isForTrash(change.action) ? sql`not null` : sql`null`}`
      : (what.where ?? sql`true`)
  const { rows } = await ctx.tx.execute(sql`
    with judged as (
      select ${table.id} as id, ${name} as name, ${obstacleOf(ctx, definition, change)} as code from ${table} where ${where}),
    few as (
      select code, id, name from (
        select *, row_number() over (partition by code order by id) as nth from judged where code is not null) n
      where nth <= ${EXAMPLES})
    select j.code, count(*) as count,
      coalesce((select json_agg(json_build_object('id', f.id, 'name', f.name) order by f.id) from few f where f.code = j.code), '[]'::json)
        as examples
    from judged j group by j.code order by count(*) desc, j.code`)
  const groups = rows.map((row) => found.parse(row))
  const seen = groups.reduce((sum, { count }) => sum + count, 0)
  const unseen = 'ids' in what ? what.ids.length - seen : 0
  const reasons = groups.flatMap(({ code, count, examples }) =>
    code === null ? [] : [{ code, count, examples }],
  )
  if (unseen > 0) reasons.push({ code: 'record.not_found', count: unseen, examples: [] })
  const refused = reasons.reduce((sum, { count }) => sum + count, 0)
  return { matched: seen + unseen, changed: seen + unseen - refused, refused, reasons }
}

/** Why a row would be refused, or null. */
function obstacleOf(ctx: CallContext, definition: RecordDefinition, change: BulkChange): SQL {
  const { table, subject, lease } = definition
  const allowed = change.touches.every((field) => ctx.can('UPDATE', subject, undefined, field))
    ? ctx.scope(rightFor(change.action), subject, scopeColumns(table))
    : sql`false`
  const held =
    change.action === 'delete' && lease ? sql`when ${lease} is not null then 'record.in_use'` : sql``
  const inUse = change.action === 'purge' ? sql`when ${staysInTrash(definition)} then 'record.in_use'` : sql``
  const tags =
    change.action === 'addTags'
      ? sql`when cardinality(array(select unnest(${table.tags}) union select unnest(${sql.param([...change.tags])}::text[]))) > ${MAX_TAGS}
          then 'record.too_many_tags'`
      : sql``
  return sql`case when not (${allowed}) then 'access.denied' ${held} ${inUse} ${tags} end`
}
