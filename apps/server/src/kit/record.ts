import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { integer, text, timestamp, uuid, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Action, Subject } from '@weft/contract/core/permissions'
import { AppError } from './app-error.ts'
import type { CallContext, ScopeColumns, Tx } from './context.ts'

export { newId } from './id.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** The columns that every record has. */
export function recordColumns() {
  return {
    id: uuid().primaryKey(),
    ownerId: uuid('owner_id'),
    createdAt: at('created_at').notNull().defaultNow(),
    createdBy: uuid('created_by'),
    updatedAt: at('updated_at').notNull().defaultNow(),
    version: integer().notNull().default(1),
    tags: text().array().notNull().default([]),
    notes: text().notNull().default(''),
    deletedAt: at('deleted_at'),
  }
}

/** A table with those columns. */
export type RecordTable = PgTable & {
  id: PgColumn
  version: PgColumn
  updatedAt: PgColumn
  deletedAt: PgColumn
}

/** A time as the contract writes it. */
export function iso(time: Date): string
export function iso(time: Date | null): string | null
export function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null
}

/** Who made a record and whose it is. */
export function madeBy(ctx: Pick<CallContext, 'user'>): { ownerId: string; createdBy: string } {
  return { ownerId: ctx.user.id, createdBy: ctx.user.id }
}

/** Where a feature's records are and how rules see them. */
export interface RecordSource<T extends RecordTable> {
  table: T
  subject: Subject
  columns: ScopeColumns
  /** Refuses an action for what the record is in, whoever asks. */
  guard?: (ctx: Pick<CallContext, 'tx'>, row: T['$inferSelect'], action: Action) => Promise<void>
}

/**
 * The one row with this id for an action. One that the person may not see is as good as none: 404. One that they see
 * but may not act on: 403. `lock` holds it until the end of the transaction.
 */
export async function findRecord<T extends RecordTable>(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
  source: RecordSource<T>,
  id: string,
  action: Action = 'VIEW',
  options: { trashed?: boolean; lock?: boolean } = {},
): Promise<T['$inferSelect']> {
  const { table, subject, columns } = source
  const rows: PgTable = table
  const query = ctx.tx
    .select({
      row: rows,
      visible: sql<boolean>`${ctx.scope('VIEW', subject, columns)}`,
      allowed: sql<boolean>`${ctx.scope(action, subject, columns)}`,
    })
    .from(rows)
    .where(
      and(eq(table.id, id), options.trashed ? sql`${table.deletedAt} is not null` : isNull(table.deletedAt)),
    )
    .limit(1)
  const [found] = await (options.lock ? query.for('update', { of: table }) : query)
  if (!found?.visible) throw new AppError('record.not_found')
  if (!found.allowed) throw new AppError('access.denied')
  await source.guard?.(ctx, found.row, action)
  return found.row
}

/**
 * Changes a record that was read at `version`; another version is answered with 409 and the record as it is now, made
 * by `present`. Gives the row after the change.
 */
export async function updateRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  at_: { id: string; version: number },
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- of each concrete table it is not empty
  changes: Partial<T['$inferInsert']>,
  present: (current: T['$inferSelect']) => unknown,
): Promise<T['$inferSelect']> {
  const set: Record<string, unknown> = {
    ...changes,
    version: sql`${table.version} + 1`,
    updatedAt: sql`now()`,
  }
  const [row] = await tx
    .update(table as PgTable)
    .set(set)
    .where(and(eq(table.id, at_.id), eq(table.version, at_.version), isNull(table.deletedAt)))
    .returning()
  if (row) return row
  const [current] = await tx
    .select()
    .from<PgTable>(table)
    .where(and(eq(table.id, at_.id), isNull(table.deletedAt)))
  if (!current) throw new AppError('record.not_found')
  throw new AppError('record.stale', {}, { current: await present(current) })
}

/** Puts records into the trash. Gives the ids that were not there already. */
export function trashRecords(tx: Tx, table: RecordTable, where: SQL): Promise<string[]> {
  return setDeleted(tx, table, and(where, isNull(table.deletedAt)), sql`now()`)
}

/** Takes records out of the trash. */
export function restoreRecords(tx: Tx, table: RecordTable, where: SQL): Promise<string[]> {
  return setDeleted(tx, table, and(where, sql`${table.deletedAt} is not null`), sql`null`)
}

async function setDeleted(
  tx: Tx,
  table: RecordTable,
  where: SQL | undefined,
  deletedAt: SQL,
): Promise<string[]> {
  const rows = await tx
    .update(table as PgTable)
    .set({ deletedAt, updatedAt: sql`now()`, version: sql`${table.version} + 1` })
    .where(where)
    .returning({ id: table.id })
  return rows.map((row) => String(row.id))
}
