import { getTableName, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { EventFeature } from '@weft/contract/core/events'
import type { Subject } from '@weft/contract/core/permissions'
import type { CallContext, Decisions, ScopeColumns, Tx } from '../context.ts'
import type { LineForm } from '../import/source.ts'
import type { RecordSource, RecordTable } from '../record.ts'

/** A table with the columns of every record, all of which a resource uses. */
export type ResourceTable = RecordTable & {
  ownerId: PgColumn
  createdAt: PgColumn
  createdBy: PgColumn
  tags: PgColumn
  notes: PgColumn
}

/** What the common columns hold. */
export interface CommonRow {
  id: string
  ownerId: string | null
  createdAt: Date
  createdBy: string | null
  updatedAt: Date
  version: number
  tags: string[]
  notes: string
  deletedAt: Date | null
}

/** What an answer always has. */
export interface CommonView {
  id: string
  version: number
}

/** Something that uses a record. `blocks` says that the record cannot be deleted for it. */
export interface Use {
  feature: string
  id: string
  name: string
  blocks: boolean
}

/** What it takes to read as somebody. */
export type Reader = Pick<CallContext, 'tx' | 'scope' | 'user'>

/** A field that holds the id of another record, which the person must be allowed to see. */
export interface Link {
  field: string
  /** Of these ids, those that exist and may be seen. */
  visible: (ctx: Reader, ids: readonly string[]) => Promise<ReadonlySet<string>>
}

/** What makes two records the same for their owner, as a unique index says it. */
export interface Identity<Input> {
  /** The index; without one, the identity only finds the record that a row of an import means. */
  constraint?: string
  /** The field that an error names. */
  field: string
  /** The identity as one text: of a row in SQL, and of an input. */
  ofRow: SQL
  ofInput(input: Input): string
}

/** Some columns of a table with their values; the id is the kit's to give. */
export type Columns<T extends ResourceTable> = {
  [K in keyof T['$inferInsert']]?: T['$inferInsert'][K]
} & { id?: never }

/** What is particular to one kind of record; how it is listed and changed is the same for all. */
export interface RecordDefinition<
  Table extends ResourceTable = ResourceTable,
  View extends CommonView = CommonView,
  Input extends object = object,
> {
  feature: EventFeature
  subject: Subject
  table: Table
  /** Texts that `q` looks into. */
  search: PgColumn | SQL
  /** What many records have in common is followed by when they were made, as its index is. */
  sort: Readonly<Record<string, PgColumn | SQL | readonly PgColumn[]>>
  defaultSort: { by: string; desc?: boolean }
  /** Conditions of the list's own filters. */
  filter(input: Readonly<Record<string, unknown>>): (SQL | undefined)[]
  /** Further values of a row, by scalar subqueries. */
  extras: Readonly<Record<string, SQL>>
  present(
    row: Table['$inferSelect'],
    extras: Readonly<Record<string, unknown>>,
    decisions: Pick<Decisions, 'can'>,
  ): View
  /** The columns to write for the fields that are given, secrets left out; `before` is the row of an update. */
  columns(input: Partial<Input>, before: Table['$inferSelect'] | undefined): Columns<Table>
  /** Columns that only a new record gets. */
  initial?(): Columns<Table>
  /** Fields that are stored as they are answered and that nothing else depends on; besides notes and tags. */
  plain?: readonly string[]
  /** Fields that are sealed into the column of the same name. */
  secrets: readonly string[]
  /**
   * What else changes with the fields that are given, secrets among them, as `columns` says it of one record: which fields that may
   * be, and what they become. Only what stands here lets a secret be set for many at once.
   */
  follows?: {
    fields: readonly string[]
    /** Of these, what no answer holds. */
    untold?: readonly string[]
    of(input: Readonly<Record<string, unknown>>): Readonly<Record<string, SQL>>
  }
  links: readonly Link[]
  identity?: Identity<Input>
  /** JSON of who holds the record now, or null; as `leaseOf` writes it. A record that is held cannot be deleted. */
  lease?: SQL
  name: PgColumn
  /** Whether anything uses the row. */
  used?: SQL
  /** Whether anything still tells of the row, such as a run, so that it cannot be deleted for good. */
  toldOf?: SQL
  /** What goes with a record that is deleted for good, beyond what the database takes along. */
  purged?(ctx: Pick<CallContext, 'tx' | 'enqueue'>, row: Table['$inferSelect']): Promise<void>
  /** Of these, those that cannot be put into the trash now. */
  keptBack?(ctx: Reader, ids: readonly string[]): Promise<ReadonlySet<string>>
}

/** A kind of record with all the calls of a resource. */
export interface ResourceDefinition<
  Table extends ResourceTable = ResourceTable,
  View extends CommonView = CommonView,
  Input extends object = object,
> extends RecordDefinition<Table, View, Input> {
  uses(ctx: Reader, id: string): Promise<Use[]>
  used: SQL
  /** What an export writes, in order: paths into an answer. */
  exported: readonly string[]
  /** How rows come in from a file. */
  imported: {
    schema: z.ZodObject
    lines?: LineForm
    /** Columns that only an imported record gets. */
    columns?: Columns<Table>
  }
}

/** Keeps the particular types of a definition checked where it is written. */
export function defineResource<Table extends ResourceTable, View extends CommonView, Input extends object>(
  definition: ResourceDefinition<Table, View, Input>,
): ResourceDefinition<Table, View, Input> {
  return definition
}

/** The same for a record that is not a whole resource. */
export function defineRecord<Table extends ResourceTable, View extends CommonView, Input extends object>(
  definition: RecordDefinition<Table, View, Input>,
): RecordDefinition<Table, View, Input> {
  return definition
}

/** How access rules see the records. */
export function sourceOf<T extends ResourceTable>(definition: {
  table: T
  subject: Subject
}): RecordSource<T> {
  return { table: definition.table, subject: definition.subject, columns: scopeColumns(definition.table) }
}

const known = new WeakMap<object, ScopeColumns>()

/** The fields that conditions of rules may compare: every column of the table. */
export function scopeColumns(table: object): ScopeColumns {
  const columns =
    known.get(table) ??
    Object.fromEntries(
      Object.entries(table).filter((entry): entry is [string, PgColumn] => isColumn(entry[1])),
    )
  known.set(table, columns)
  return columns
}

function isColumn(value: unknown): value is PgColumn {
  return typeof value === 'object' && value !== null && 'columnType' in value
}

/** A link to a record of another resource. */
export function linkTo(field: string, target: { table: ResourceTable; subject: Subject }): Link {
  const { table, subject } = target
  return {
    field,
    visible: (ctx, ids) =>
      idsOf(
        ctx.tx,
        sql`select ${table.id} as id from ${table} where ${table.id} = any(${sql.param([...ids])}::uuid[])
          and ${table.deletedAt} is null and ${ctx.scope('VIEW', subject, scopeColumns(table))}`,
      ),
  }
}

/** Runs a query of ids. */
export async function idsOf(tx: Tx, query: SQL): Promise<ReadonlySet<string>> {
  const found = await tx.execute<{ id: string }>(query)
  return new Set(found.rows.map((row) => row.id))
}

/** The table's name in SQL. */
export function tableName(definition: { table: ResourceTable }): string {
  return getTableName(definition.table)
}
