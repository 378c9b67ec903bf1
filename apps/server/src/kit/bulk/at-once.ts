import { getTableName, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Work } from '../context.ts'
import { newId } from '../id.ts'
import { isQuotaKind, roomFor } from '../quota.ts'
import { anyOf, isThrownAway } from '../recordset.ts'
import { scopeColumns, type RecordDefinition } from '../resource/definition.ts'
import type { Secrets } from '../secrets.ts'
import type { BulkChange } from './plan.ts'
import type { Doer } from './notes.ts'
import { settingsOf, type Setting } from './settings.ts'
import type { BulkRecord } from './table.ts'

/** What the database did by itself, and the records that it left to be looked at one by one. */
export interface AtOnce {
  changed: number
  unchanged: number
  /** Whose records were changed. */
  owners: (string | null)[]
  /** The changed ones, where they are few. */
  few: { id: string; ownerId: string | null }[]
  left: string[]
  /** What those are told who look on. */
  kind: 'updated' | 'created' | 'deleted'
}

/**
 * Changes these records in one statement, with their histories and what each was before, as far as there is nothing to think
 * about: fields that are stored as they are answered or sealed, the way into the trash and out of it, records that may be changed
 * and that nothing holds. Undefined where a bulk is of another kind.
 */
export async function changeAtOnce(
  { tx }: Work,
  secrets: Secrets,
  doer: Doer,
  definition: RecordDefinition,
  bulk: Pick<BulkRecord, 'id' | 'undoes' | 'rules'>,
  change: BulkChange,
  what: { ids: readonly string[]; label: string; few: number },
): Promise<AtOnce | undefined> {
  const { table, subject, lease, feature } = definition
  // Where a right is for some fields of some records, each record has to be asked.
  if ([...doer.user.rules, ...(bulk.rules ?? [])].some(({ fields }) => fields !== undefined)) return undefined
  const reader = { ...doer, tx }
  const settings = await settingsOf(reader, secrets, definition, bulk, change, what.ids)
  if (!settings) return undefined
  const { from, fits, columns: set, life, right } = settings
  const kept = life === 'delete' ? await definition.keptBack?.(reader, what.ids) : undefined
  const ids = kept ? what.ids.filter((id) => !kept.has(id)) : what.ids
  if (life === 'restore' && !(await hasRoom({ tx }, definition, ids))) return undefined
  const columns = scopeColumns(table)
  const each = (of: (setting: Setting) => SQL, between = sql`, `) => sql.join(set.map(of), between)
  const was = ({ name }: Setting) => sql.identifier(`was ${name}`)
  const becomes = ({ name }: Setting) => sql.identifier(`becomes ${name}`)
  const differs = (one: Setting) => sql`j.${was(one)} is distinct from j.${becomes(one)}`
  const told = set.filter((one) => one.told)
  // Only what differs belongs to the history.
  const history = (version: SQL, value: (setting: Setting) => SQL) =>
    life
      ? each((one) => sql`jsonb_build_object('deleted', ${value(one)} is not null)`)
      : sql`jsonb_build_object('version', ${version}) || ${sql.join(
          told.map(
            (one) => sql`case when ${one.secret ? sql`true` : differs(one)}
            then jsonb_build_object(${one.field}::text, ${shown(one, value(one))}) else '{}' end`,
          ),
          sql` || `,
        )}`
  const before = each(
    (one) =>
      one.follows
        ? sql`case when ${differs(one)} then jsonb_build_object(${one.field}::text, j.${was(one)}) else '{}' end`
        : sql`jsonb_build_object(${one.field}::text, j.${was(one)})`,
    sql` || `,
  )
  const counted = life
    ? sql`, counted as (
      insert into record_count (kind, owner_id, trashed, n)
      select ${getTableName(table)}::text, j.owner_id, ${life === 'delete'}::boolean, count(*) from judged j group by 2
      union all select ${getTableName(table)}::text, j.owner_id, ${life !== 'delete'}::boolean, -count(*) from judged j group by 2)`
    : sql``
  await prepare({ tx }, { together: life !== undefined, bitmaps: 'off' })
  const { rows } = await tx.execute(sql`
    with wanted as materialized (
      select ${table.id} as id, ${table.ownerId} as owner_id, ${table.version} as version,
        ${each((one) => sql`${table}.${sql.identifier(one.name)} as ${was(one)}, ${one.value} as ${becomes(one)}`)}
      from ${table} ${from}
      where ${table.id} = ${anyOf(ids)} and ${doer.scope('VIEW', subject, columns)} and ${doer.scope(right, subject, columns)}
        and ${lease ? sql`${lease} is null` : sql`true`} and ${fits}
      order by ${table.id} for update of ${table}),
    judged as materialized (
      select j.*, ${each((one) => (life || one.secret ? sql`true` : differs(one)), sql` or `)} as differs from wanted j),
    changed as (
      update ${table} set ${each((one) => sql`${sql.identifier(one.name)} = j.${becomes(one)}`)},
        version = ${table.version} + 1, updated_at = now()
      from judged j where ${table.id} = j.id and j.differs),
    noted as (
      insert into bulk_row (bulk_id, record_id, version, before)
      select ${bulk.id}::uuid, j.id, j.version + 1, ${before}
      from judged j where j.differs),
    remembered as (
      insert into audit (id, actor_id, actor_name, address, label, feature, record_id, before, after, request_id)
      select (${sql.param(ids.map(() => newId()))}::uuid[])[row_number() over ()], ${doer.user.id}::uuid,
        ${doer.user.username}, ${doer.address}, ${what.label}, ${feature}, j.id::text,
        ${history(sql`j.version`, (one) => sql`j.${was(one)}`)}, ${history(sql`j.version + 1`, (one) => sql`j.${becomes(one)}`)},
        ${doer.requestId}
      from judged j where j.differs) ${counted}
    select count(*) filter (where differs)::int as changed, count(*) filter (where not differs)::int as unchanged,
      array(select distinct owner_id from judged where differs) as owners,
      case when count(*) filter (where differs) <= ${what.few}
        then coalesce(json_agg(json_build_object('id', id, 'ownerId', owner_id)) filter (where differs), '[]') else '[]' end as few,
      array(select g.id from unnest(${sql.param([...what.ids])}::uuid[]) g (id)
        where not exists (select 1 from judged k where k.id = g.id)) as left
    from judged`)
  await prepare({ tx }, { together: false, bitmaps: 'on' })
  const kind = life === 'delete' ? 'deleted' : life === 'restore' ? 'created' : 'updated'
  return { ...outcome.parse(rows[0]), kind }
}

const outcome = z.object({
  changed: z.number(),
  unchanged: z.number(),
  owners: z.array(z.string().nullable()),
  few: z.array(z.object({ id: z.string(), ownerId: z.string().nullable() })),
  left: z.array(z.string()),
})

/** A value as an answer shows it. */
function shown({ secret, type }: Setting, value: SQL): SQL {
  if (secret) return sql`jsonb_build_object('set', ${value} is not null)`
  if (!type.startsWith('timestamp')) return value
  return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/**
 * What goes to the trash or comes back is counted by the statement for all of them. Its records are found by their ids: the planner
 * would go through all that are not in the trash as well, since an index of tags knows them. It is planned each time for as many as
 * there are: a plan once for all takes ten of them for granted, and compares each of thousands with each other.
 */
async function prepare(
  { tx }: Pick<Work, 'tx'>,
  { together, bitmaps }: { together: boolean; bitmaps: 'on' | 'off' },
): Promise<void> {
  await tx.execute(sql`
    select set_config('weft.counts', ${together ? 'together' : ''}, true), set_config('enable_bitmapscan', ${bitmaps}, true),
      set_config('plan_cache_mode', ${bitmaps === 'off' ? 'force_custom_plan' : 'auto'}, true)`)
}

const ownerRow = z.object({ ownerId: z.string(), n: z.number() })

/** Whether all of these may come out of the trash, where their owners have limits. */
async function hasRoom(
  { tx }: Pick<Work, 'tx'>,
  { feature, table }: RecordDefinition,
  ids: readonly string[],
): Promise<boolean> {
  if (!isQuotaKind(feature)) return true
  const { rows } = await tx.execute(sql`
    select ${table.ownerId} as "ownerId", count(*)::int as n from ${table}
    where ${table.id} = ${anyOf(ids)} and ${isThrownAway(table)} and ${table.ownerId} is not null group by 1`)
  for (const row of rows) {
    const { ownerId, n } = ownerRow.parse(row)
    const room = await roomFor(tx, ownerId, feature, n)
    if (room && room.left < n) return false
  }
  return true
}
