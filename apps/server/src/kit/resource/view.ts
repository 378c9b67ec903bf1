import { getTableName, inArray, isNotNull, isNull, not, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Action, Subject } from '@weft/contract/core/permissions'
import { IMPORT_KINDS } from '@weft/contract/imports/schema'
import type { CallContext, Decisions } from '../context.ts'
import { breadthOf } from '../access-sql.ts'
import type { ListSource } from '../list.ts'
import { anyOf } from '../recordset.ts'
import { selectRows, type LoadedRow } from './rows.ts'
import type { CommonRow, CommonView, Reader, RecordDefinition, ResourceTable } from './definition.ts'
import { scopeColumns } from './definition.ts'

/** An action's name in `can`, the right it needs, and what stands in its way now. */
export interface RecordAction {
  name: string
  action: Action
  obstacle?: string | null
}

/** What can be deleted for good by hand: the whole resources. */
const PURGED: ReadonlySet<Subject> = new Set<Subject>([
  'CLIENT',
  'ACCOUNT',
  'PROFILE',
  'PHONE',
  'PROXY',
  'VIDEO',
])

/** Whether records of a subject can be deleted for good by hand. */
export function isPurged(subject: Subject): boolean {
  return PURGED.has(subject)
}

/** The common fields of an answer, with what this person may do now: `leased` says that a run holds the record. */
export function commonView(
  row: CommonRow,
  subject: Subject,
  decisions: Pick<Decisions, 'can'>,
  options: {
    held?: boolean
    leased?: boolean
    actions?: readonly RecordAction[]
    /** What stands in the way of every change. */
    obstacle?: string | null
  } = {},
) {
  const can: string[] = []
  const cannot: Record<string, string> = {}
  const ask = (name: string, action: Action, obstacle?: string | null) => {
    if (!decisions.can(action, subject, row)) cannot[name] = 'access.denied'
    else if (obstacle) cannot[name] = obstacle
    else can.push(name)
  }
  if (row.deletedAt !== null) {
    ask('restore', 'DELETE')
    if (PURGED.has(subject)) ask('purge', 'DELETE')
  } else {
    const { obstacle, held, leased, actions } = options
    ask('update', 'UPDATE', obstacle)
    ask('delete', 'DELETE', obstacle ?? (held || leased ? 'record.in_use' : null))
    if (leased) ask('release', 'RUN')
    if (actions) for (const one of actions) ask(one.name, one.action, one.obstacle)
  }
  return {
    id: row.id,
    ownerId: row.ownerId,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    updatedAt: row.updatedAt.toISOString(),
    version: row.version,
    tags: row.tags,
    notes: row.notes,
    can,
    cannot,
  }
}

/** Makes loaded rows into answers. */
export function presentRows<T extends ResourceTable, V extends CommonView, I extends object>(
  definition: RecordDefinition<T, V, I>,
  rows: readonly LoadedRow[],
  decisions: Pick<Decisions, 'can'>,
): V[] {
  return rows.map(({ row, ...extras }) => definition.present(row, extras, decisions))
}

/** The answers for these ids, in no order. */
export async function viewsOf<T extends ResourceTable, V extends CommonView, I extends object>(
  ctx: Pick<CallContext, 'tx' | 'can'>,
  definition: RecordDefinition<T, V, I>,
  ids: readonly string[],
): Promise<V[]> {
  const rows = await selectRows(ctx.tx, definition).where(inArray(definition.table.id, [...ids]))
  return presentRows(definition, rows, ctx)
}

/** The answer for one row that is known to be there. */
export async function viewOf<T extends ResourceTable, V extends CommonView, I extends object>(
  ctx: Pick<CallContext, 'tx' | 'can'>,
  definition: RecordDefinition<T, V, I>,
  id: string,
): Promise<V> {
  const [view] = await viewsOf(ctx, definition, [id])
  if (!view) throw new Error(`the record ${id} of ${definition.feature} is not there`)
  return view
}

/** The query of a list: scope, trash, filters and search of a resource. */
export function listSource<T extends ResourceTable, V extends CommonView, I extends object>(
  ctx: Pick<Reader, 'scope'> & Pick<Decisions, 'can'>,
  definition: RecordDefinition<T, V, I>,
  input: Readonly<Record<string, unknown>>,
  options: { action?: Action; where?: SQL | undefined } = {},
): ListSource<LoadedRow, V> {
  const { table, subject } = definition
  const scope = ctx.scope(options.action ?? 'VIEW', subject, scopeColumns(table))
  const trashed = input['trashed'] === true
  const filters = [...commonFilters(definition, input), ...definition.filter(input), options.where]
  return {
    rows: (tx, more) => selectRows(tx, definition, more),
    table,
    id: table.id,
    where: [scope, inTrash(table.deletedAt, trashed), ...filters],
    total: filters.some((filter) => filter !== undefined) ? undefined : keptTotal(definition, scope, trashed),
    search: [definition.search],
    sort: { ...definition.sort, createdAt: table.createdAt, updatedAt: table.updatedAt },
    nullsFirst: true,
    defaultSort: definition.defaultSort,
    present: (rows) => presentRows(definition, rows, ctx),
  }
}

/**
 * The sum of the counts that are kept for each owner: exact, also for what this very transaction changed. Undefined where
 * the scope asks for more than whose a record is.
 */
function keptTotal(
  { feature, table }: Pick<RecordDefinition, 'feature' | 'table'>,
  scope: SQL,
  trashed: boolean,
): SQL | undefined {
  // The kinds whose tables are counted as they change.
  const breadth = IMPORT_KINDS.some((kind) => kind === feature) ? breadthOf(scope) : undefined
  if (breadth === undefined) return undefined
  const owners = breadth === 'all' ? sql`` : sql`and c.owner_id = ${anyOf(breadth)}`
  // The values are this program's own; without parameters a prepared statement is planned once for all.
  return sql`select coalesce(sum(c.n), 0) from record_count c
    where c.kind = ${sql.raw(`'${getTableName(table)}'`)} and c.trashed = ${sql.raw(String(trashed))} ${owners}`
}

/** The filters that every resource's list has. */
function commonFilters(
  { table, used }: Pick<RecordDefinition, 'table' | 'used'>,
  { tag, tags, createdFrom, createdTo, used: wished }: Readonly<Record<string, unknown>>,
): (SQL | undefined)[] {
  return [
    withTags(table.tags, [tag, ...(Array.isArray(tags) ? tags : [])]),
    typeof createdFrom === 'string' ? sql`${table.createdAt} >= ${createdFrom}::timestamptz` : undefined,
    typeof createdTo === 'string' ? sql`${table.createdAt} < ${createdTo}::timestamptz` : undefined,
    typeof wished === 'boolean' && used ? (wished ? used : not(used)) : undefined,
  ]
}

/** Rows with all of these tags. */
export function withTags(column: PgColumn, tags: readonly unknown[] = []): SQL | undefined {
  const wanted = tags.filter((one) => typeof one === 'string' && one !== '')
  return wanted.length > 0 ? sql`${column} @> ${sql.param(wanted)}::text[]` : undefined
}

/** What is in the trash, or what is not. */
export function inTrash(column: PgColumn, trashed: boolean | undefined): SQL {
  return trashed ? isNotNull(column) : isNull(column)
}

/** A list filter of several values. */
export function oneOf(column: Parameters<typeof inArray>[0], values: unknown): SQL | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined
  return inArray(column, values.map(String))
}

/** A list filter of ways in which a record may stand, each with its condition: any one of those that are named. */
export function anyWay(ways: Readonly<Record<string, SQL>>, values: unknown): SQL | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined
  return or(...values.map((value) => ways[String(value)]))
}
