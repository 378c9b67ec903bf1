import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '../context.ts'
import { newId } from '../record.ts'
import { idsOf, type ResourceTable } from './definition.ts'

/**
 * Inserts many records in one statement with one parameter, which takes a fraction of the time of a parameter for each
 * value. Records that collide with existing ones are left out; gives the ids of the others.
 */
export async function insertMany(
  tx: Tx,
  table: ResourceTable,
  records: readonly Readonly<Record<string, unknown>>[],
): Promise<ReadonlySet<string>> {
  const [first] = records
  if (!first) return new Set()
  const columns = getTableColumns(table)
  const fields = Object.keys(first).filter((field) => first[field] !== undefined)
  const named = fields.map((field) => ({ field, name: columns[field]?.name ?? '' }))
  // A field that only some records have would become null in the others, where its default is meant.
  const odd = records.find((record) => fields.some((field) => record[field] === undefined))
  if (odd || named.some(({ name }) => name === ''))
    throw new Error('records for one insert must have the same columns')
  const rows = records.map((record) =>
    Object.fromEntries(named.map(({ field, name }) => [name, record[field]])),
  )
  const list = sql.join(
    named.map(({ name }) => sql.identifier(name)),
    sql`, `,
  )
  return idsOf(
    tx,
    sql`insert into ${table} (${list})
      select ${list} from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json)
      on conflict do nothing returning id`,
  )
}

/**
 * Changes many records, each in the columns that are given for it; those with the same columns share a statement. A
 * record that comes twice is changed in order.
 */
export async function updateMany(
  tx: Tx,
  table: ResourceTable,
  changes: readonly { id: string; columns: Readonly<Record<string, unknown>> }[],
): Promise<void> {
  const known = getTableColumns(table)
  const seen = new Set<string>()
  const groups = new Map<string, Record<string, unknown>[]>()
  const flush = async () => {
    for (const [names, rows] of groups) await updateAlike(tx, table, names ? names.split(' ') : [], rows)
    groups.clear()
    seen.clear()
  }
  for (const { id, columns } of changes) {
    if (seen.has(id)) await flush()
    seen.add(id)
    const given = Object.entries(columns).flatMap(([field, value]) => {
      const name = known[field]?.name
      return name === undefined || value === undefined ? [] : [[name, value] satisfies [string, unknown]]
    })
    const key = given.map(([name]) => name).join(' ')
    const group = groups.get(key) ?? []
    group.push({ ...Object.fromEntries(given), id })
    groups.set(key, group)
  }
  await flush()
}

async function updateAlike(
  tx: Tx,
  table: ResourceTable,
  names: readonly string[],
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const set = names.map((name) => sql`${sql.identifier(name)} = given.${sql.identifier(name)}`)
  await tx.execute(sql`
    update ${table} set ${sql.join([...set, sql`version = ${table.version} + 1`, sql`updated_at = now()`], sql`, `)}
    from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json) given
    where ${table.id} = given.id`)
}

/** Whose change it was, for the audit log. */
export interface Author {
  id: string
  name: string
  address: string
  requestId: string
}

/** Leaves a line in the history of each record. */
export async function auditMany(
  tx: Tx,
  author: Author,
  what: { feature: string; label: string },
  records: readonly { id: string; before?: object; after?: object }[],
): Promise<void> {
  if (records.length === 0) return
  const column = (values: readonly (string | null)[]): SQL => sql`${sql.param([...values])}`
  await tx.execute(sql`
    insert into audit (id, actor_id, actor_name, address, label, feature, record_id, before, after, request_id)
    select t.id, ${author.id}::uuid, ${author.name}, ${author.address}, ${what.label}, ${what.feature}, t.record_id, t.before::jsonb,
      t.after::jsonb, ${author.requestId}
    from unnest(${column(records.map(() => newId()))}::uuid[], ${column(records.map(({ id }) => id))}::text[],
      ${column(records.map(({ before }) => (before ? JSON.stringify(before) : null)))}::text[],
      ${column(records.map(({ after }) => (after ? JSON.stringify(after) : null)))}::text[]) as t(id, record_id, before, after)`)
}
