import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import { MAX_TAGS } from '@weft/contract/core/record'
import { isThrownAway, recordset } from '../recordset.ts'
import type { Reader, RecordDefinition } from '../resource/definition.ts'
import { sealFields } from '../resource/secrets.ts'
import type { Secrets } from '../secrets.ts'
import { rightFor, type BulkChange } from './plan.ts'
import type { BulkRecord } from './table.ts'

/** A column that is set: its name in answers and in the table, and what it becomes. */
export interface Setting {
  field: string
  name: string
  type: string
  value: SQL
  /** A secret stands in histories only as being there or not, and counts as changed whenever it is given. */
  secret: boolean
  /** It is set along with others, and was set only where it differs. */
  follows: boolean
  /** It stands in histories; what no answer holds does not. */
  told: boolean
}

/** What the values come from beside the table, which rows have them, and what is set. */
export interface Settings {
  from: SQL
  fits: SQL
  columns: Setting[]
  /** Into the trash, or out of it. */
  life: 'delete' | 'restore' | undefined
  right: ReturnType<typeof rightFor>
}

type Bulk = Pick<BulkRecord, 'undoes'>

const SIMPLE = new Set(['text', 'integer', 'boolean', 'uuid', 'text[]', 'timestamp (3) with time zone'])
/** Of what is set along, the value comes from the database itself. */
const SIMPLE_FOLLOWING = new Set([...SIMPLE, 'jsonb', 'real'])

/**
 * How the columns of these records are set by one statement; undefined where a field is not stored as it is answered, so that
 * each record has to be looked at.
 */
export async function settingsOf(
  ctx: Reader,
  secrets: Secrets,
  definition: RecordDefinition,
  { undoes }: Bulk,
  change: BulkChange,
  ids: readonly string[],
): Promise<Settings | undefined> {
  const { table } = definition
  const { action, fields, tags, touches } = change
  const none = sql``
  switch (action) {
    case 'delete':
      return lifeOf(none, sql`${table.deletedAt} is null`, 'delete')
    case 'restore':
      return lifeOf(none, isThrownAway(table), 'restore')
    case 'update': {
      const found = columnsOf(definition, touches)
      if (!found) return undefined
      const sealed = found.filter(({ secret }) => secret)
      const given = Object.fromEntries(
        found.filter(({ secret }) => !secret).map(({ field, name }) => [name, fields[field]]),
      )
      const following = definition.follows?.of(fields) ?? {}
      const along = columnsOf(definition, Object.keys(following), true)
      if (!along) return undefined
      return {
        from: sql`cross join json_populate_record(null::${table}, ${JSON.stringify(given)}::json) given
          ${sealed.length > 0 ? sealedFor(secrets, definition, sealed, fields, ids) : none}`,
        fits: alive(definition),
        columns: [
          ...found.map((one) => ({
            ...one,
            value: one.secret ? sql`v.${sql.identifier(one.name)}` : sql`given.${sql.identifier(one.name)}`,
          })),
          ...along.map((one) => ({
            ...one,
            value: following[one.field] ?? sql`null`,
          })),
        ],
        life: undefined,
        right: 'UPDATE',
      }
    }
    case 'addTags': {
      const value = sql`array(select tag from unnest(${table.tags} || ${sql.param([...tags])}::text[]) with ordinality all_tags (tag, nth)
        group by tag order by min(nth))`
      return ofTags(definition, sql`${alive(definition)} and cardinality(${value}) <= ${MAX_TAGS}`, value)
    }
    case 'removeTags': {
      const value = sql`array(select tag from unnest(${table.tags}) with ordinality all_tags (tag, nth)
        where tag <> all (${sql.param([...tags])}::text[]) order by nth)`
      return ofTags(definition, alive(definition), value)
    }
    case 'undo':
      return undoes === null ? undefined : undoOf(ctx, definition, undoes, touches, ids)
    default:
      return undefined
  }
}

const alive = ({ table }: RecordDefinition) => sql`${table.deletedAt} is null`

function lifeOf(from: SQL, fits: SQL, life: 'delete' | 'restore'): Settings {
  const value = life === 'delete' ? sql`now()` : sql`null::timestamptz`
  const type = 'timestamp (3) with time zone'
  const column = {
    field: 'deletedAt',
    name: 'deleted_at',
    type,
    value,
    secret: false,
    follows: false,
    told: true,
  }
  return { from, fits, columns: [column], life, right: rightFor(life) }
}

function ofTags(definition: RecordDefinition, fits: SQL, value: SQL): Settings | undefined {
  const columns = columnsOf(definition, ['tags'])?.map((one) => ({ ...one, value }))
  return columns && { from: sql``, fits, columns, life: undefined, right: 'UPDATE' }
}

type Known = Omit<Setting, 'value'>

/** The columns of fields, where all of them are such that the database can set them by itself. */
function columnsOf(
  definition: RecordDefinition,
  fields: readonly string[],
  follows = false,
): Known[] | undefined {
  const known = getTableColumns(definition.table)
  const plain = new Set(['tags', 'notes', ...(definition.plain ?? []), ...(follows ? fields : [])])
  const simple = follows ? SIMPLE_FOLLOWING : SIMPLE
  const untold = new Set(follows ? definition.follows?.untold : [])
  const found = fields.flatMap((field) => {
    const secret = definition.follows !== undefined && definition.secrets.includes(field)
    const column = secret || plain.has(field) ? known[field] : undefined
    const type = column?.getSQLType() ?? ''
    return column && simple.has(type)
      ? [{ field, name: column.name, type, secret, follows, told: !untold.has(field) }]
      : []
  })
  return found.length < fields.length || (found.length === 0 && !follows) ? undefined : found
}

/** Secrets are sealed for the record that they stand in, so each has its own. */
function sealedFor(
  secrets: Secrets,
  { table }: RecordDefinition,
  columns: readonly Known[],
  fields: object,
  ids: readonly string[],
): SQL {
  const names = columns.map(({ field }) => field)
  const rows = ids.map((id) => {
    const sealed = sealFields(secrets, table, names, id, fields)
    return { id, ...Object.fromEntries(columns.map(({ field, name }) => [name, sealed[field] ?? null])) }
  })
  const types = { id: 'uuid', ...Object.fromEntries(columns.map(({ name }) => [name, 'text'])) } as const
  return sql`join ${recordset(types, rows)} on v.id = ${table.id}`
}

/** Back to how each was, where nothing has changed it since. */
async function undoOf(
  ctx: Reader,
  definition: RecordDefinition,
  undoes: string,
  touches: readonly string[],
  ids: readonly string[],
): Promise<Settings | undefined> {
  const { table, links } = definition
  // Looked up for each record: read by itself, it would be all of that bulk for each part of it.
  const from = sql`cross join lateral (
    select r.version, r.before from bulk_row r where r.bulk_id = ${undoes} and r.record_id = ${table.id} offset 0) earlier`
  const same = sql`earlier.version = ${table.version}`
  if (touches.length === 0) {
    const { rows } = await ctx.tx.execute(sql`select action from bulk where id = ${undoes}`)
    const restores = rows[0]?.['action'] === 'delete'
    const was = restores
      ? sql`earlier.before = '{"deletedAt": null}' and ${isThrownAway(table)}`
      : sql`jsonb_typeof(earlier.before -> 'deletedAt') = 'string' and ${table.deletedAt} is null`
    return lifeOf(from, sql`${same} and ${was}`, restores ? 'restore' : 'delete')
  }
  const own = columnsOf(definition, touches)
  if (!own) return undefined
  const secret = own.some((one) => one.secret)
  const following = columnsOf(definition, secret ? (definition.follows?.fields ?? []) : [], true)
  if (!following) return undefined
  const known = [...own, ...following.filter(({ field }) => !touches.includes(field))]
  const seen: SQL[] = []
  for (const { field, visible } of links.filter((link) => touches.includes(link.field))) {
    const linked = await ctx.tx.execute(sql`
      select distinct before ->> ${field}::text as id from bulk_row
      where bulk_id = ${undoes} and record_id = any(${sql.param([...ids])}::uuid[]) and before ->> ${field}::text is not null`)
    const there = await visible(
      ctx,
      linked.rows.map(({ id }) => String(id)),
    )
    seen.push(
      sql`(earlier.before ->> ${field}::text is null or earlier.before ->> ${field}::text = any(${sql.param([...there])}::text[]))`,
    )
  }
  const fits = sql.join(
    [
      same,
      alive(definition),
      sql`earlier.before - ${sql.param(known.map(({ field }) => field))}::text[] = '{}'`,
      sql`earlier.before ?& ${sql.param([...touches])}::text[]`,
      ...seen,
    ],
    sql` and `,
  )
  return {
    from,
    fits,
    columns: known.map((one) => ({ ...one, value: valueBefore(table, one) })),
    life: undefined,
    right: 'UPDATE',
  }
}

/** The value that a column had; one that only followed may not have been set. */
function valueBefore(table: RecordDefinition['table'], { field, name, type, follows }: Known): SQL {
  const was =
    type === 'text[]'
      ? sql`array(select jsonb_array_elements_text(earlier.before -> ${field}::text))`
      : sql`(earlier.before ->> ${field}::text)::${sql.raw(type.startsWith('timestamp') ? 'timestamptz' : type)}`
  if (!follows) return was
  return sql`case when earlier.before ? ${field}::text then ${was} else ${table}.${sql.identifier(name)} end`
}
