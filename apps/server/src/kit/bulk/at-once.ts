import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { MAX_TAGS } from '@weft/contract/core/record'
import type { Work } from '../context.ts'
import { newId } from '../id.ts'
import { anyOf } from '../recordset.ts'
import { scopeColumns, type RecordDefinition } from '../resource/definition.ts'
import type { BulkChange } from './plan.ts'
import type { BulkRecord } from './table.ts'
import type { Doer } from './step.ts'

/** What the database did by itself, and the records that it left to be looked at one by one. */
export interface AtOnce {
  changed: number
  unchanged: number
  /** Whose records were changed. */
  owners: (string | null)[]
  /** The changed ones, where they are few. */
  few: { id: string; ownerId: string | null }[]
  left: string[]
}

/** A column that is set: its name in answers and in the table, and what it becomes. */
interface Setting {
  field: string
  name: string
  value: SQL
}

/**
 * Changes these records in one statement, with their histories and what each was before, as far as there is nothing to think
 * about: fields that are stored as they are answered, records that may be changed and that nothing holds. Undefined where a
 * bulk is of another kind.
 */
export async function changeAtOnce(
  { tx }: Work,
  doer: Doer,
  definition: RecordDefinition,
  bulk: Pick<BulkRecord, 'id' | 'undoes' | 'rules'>,
  change: BulkChange,
  what: { ids: readonly string[]; label: string; few: number },
): Promise<AtOnce | undefined> {
  const { table, subject, lease, feature } = definition
  // Where a right is for some fields of some records, each record has to be asked.
  if ([...doer.user.rules, ...(bulk.rules ?? [])].some(({ fields }) => fields !== undefined)) return undefined
  const settings = settingsOf(definition, bulk, change)
  if (!settings) return undefined
  const { from, fits, columns: set } = settings
  const columns = scopeColumns(table)
  const each = (of: (setting: Setting) => SQL, between = sql`, `) => sql.join(set.map(of), between)
  const was = ({ name }: Setting) => sql.identifier(`was ${name}`)
  const becomes = ({ name }: Setting) => sql.identifier(`becomes ${name}`)
  // Only what differs belongs to the history.
  const history = (version: SQL, value: (setting: Setting) => SQL) => sql`
    jsonb_build_object('version', ${version}) || ${each(
      (one) => sql`case when j.${was(one)} is distinct from j.${becomes(one)}
        then jsonb_build_object(${one.field}::text, ${value(one)}) else '{}' end`,
      sql` || `,
    )}`
  const { rows } = await tx.execute(sql`
    with wanted as materialized (
      select ${table.id} as id, ${table.ownerId} as owner_id, ${table.version} as version,
        ${each((one) => sql`${table}.${sql.identifier(one.name)} as ${was(one)}, ${one.value} as ${becomes(one)}`)}
      from ${table} ${from}
      where ${table.id} = ${anyOf(what.ids)} and ${table.deletedAt} is null and ${doer.scope('VIEW', subject, columns)}
          and ${doer.scope('UPDATE', subject, columns)}
        and ${lease ? sql`${lease} is null` : sql`true`} and ${fits}
      order by ${table.id} for update of ${table}),
    judged as materialized (
      select w.*, ${each((one) => sql`w.${was(one)} is distinct from w.${becomes(one)}`, sql` or `)} as differs from wanted w),
    changed as (
      update ${table} set ${each((one) => sql`${sql.identifier(one.name)} = j.${becomes(one)}`)},
        version = ${table.version} + 1, updated_at = now()
      from judged j where ${table.id} = j.id and j.differs),
    noted as (
      insert into bulk_row (bulk_id, record_id, version, before)
      select ${bulk.id}::uuid, j.id, j.version + 1, jsonb_build_object(${each((one) => sql`${one.field}::text, j.${was(one)}`)})
      from judged j where j.differs),
    remembered as (
      insert into audit (id, actor_id, actor_name, address, label, feature, record_id, before, after, request_id)
      select (${sql.param(what.ids.map(() => newId()))}::uuid[])[row_number() over ()], ${doer.user.id}::uuid,
        ${doer.user.username}, ${doer.address}, ${what.label}, ${feature}, j.id::text,
        ${history(sql`j.version`, (one) => sql`j.${was(one)}`)}, ${history(sql`j.version + 1`, (one) => sql`j.${becomes(one)}`)},
        ${doer.requestId}
      from judged j where j.differs)
    select count(*) filter (where differs)::int as changed, count(*) filter (where not differs)::int as unchanged,
      array(select distinct owner_id from judged where differs) as owners,
      case when count(*) filter (where differs) <= ${what.few}
        then coalesce(json_agg(json_build_object('id', id, 'ownerId', owner_id)) filter (where differs), '[]') else '[]' end as few,
      array(select g.id from unnest(${sql.param([...what.ids])}::uuid[]) g (id)
        where not exists (select 1 from judged k where k.id = g.id)) as left
    from judged`)
  return outcome.parse(rows[0])
}

const outcome = z.object({
  changed: z.number(),
  unchanged: z.number(),
  owners: z.array(z.string().nullable()),
  few: z.array(z.object({ id: z.string(), ownerId: z.string().nullable() })),
  left: z.array(z.string()),
})

/** What the values come from beside the table, which rows have them, and what is set. */
interface Settings {
  from: SQL
  fits: SQL
  columns: Setting[]
}

const SIMPLE = new Set(['text', 'integer', 'boolean', 'uuid', 'text[]'])

/** How the columns are set; undefined where a field is not stored as it is answered. */
function settingsOf(
  { table, plain, links }: RecordDefinition,
  { undoes }: Pick<BulkRecord, 'undoes'>,
  { action, fields, tags, touches }: BulkChange,
): Settings | undefined {
  const known = getTableColumns(table)
  const found = touches.flatMap((field) => {
    const column = ['tags', 'notes', ...(plain ?? [])].includes(field) ? known[field] : undefined
    const type = column?.getSQLType() ?? ''
    return column && SIMPLE.has(type) ? [{ field, name: column.name, type }] : []
  })
  if (found.length === 0 || found.length < touches.length) return undefined
  const none = sql``
  switch (action) {
    case 'update': {
      const given = Object.fromEntries(found.map(({ field, name }) => [name, fields[field]]))
      return {
        from: sql`cross join json_populate_record(null::${table}, ${JSON.stringify(given)}::json) given`,
        fits: sql`true`,
        columns: found.map((one) => ({ ...one, value: sql`given.${sql.identifier(one.name)}` })),
      }
    }
    case 'addTags': {
      const value = sql`array(select tag from unnest(${table.tags} || ${sql.param([...tags])}::text[]) with ordinality all_tags (tag, nth)
        group by tag order by min(nth))`
      return {
        from: none,
        fits: sql`cardinality(${value}) <= ${MAX_TAGS}`,
        columns: [{ field: 'tags', name: 'tags', value }],
      }
    }
    case 'removeTags': {
      const value = sql`array(select tag from unnest(${table.tags}) with ordinality all_tags (tag, nth)
        where tag <> all (${sql.param([...tags])}::text[]) order by nth)`
      return { from: none, fits: sql`true`, columns: [{ field: 'tags', name: 'tags', value }] }
    }
    case 'undo': {
      // Whether a link may be set again is asked of each.
      if (links.some(({ field }) => touches.includes(field))) return undefined
      return {
        // Looked up for each record: read by itself, it would be all of that bulk for each part of it.
        from: sql`cross join lateral (
          select r.version, r.before from bulk_row r where r.bulk_id = ${undoes} and r.record_id = ${table.id} offset 0) earlier`,
        fits: sql`earlier.version = ${table.version} and earlier.before - ${sql.param([...touches])}::text[] = '{}'
          and earlier.before ?& ${sql.param([...touches])}::text[]`,
        columns: found.map((one) => ({
          ...one,
          value:
            one.type === 'text[]'
              ? sql`array(select jsonb_array_elements_text(earlier.before -> ${one.field}::text))`
              : sql`(earlier.before ->> ${one.field}::text)::${sql.raw(one.type)}`,
        })),
      }
    }
    default:
      return undefined
  }
}
