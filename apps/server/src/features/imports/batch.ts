import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Work } from '../../kit/context.ts'
import { importFields, rowReader } from '../../kit/import/fields.ts'
import { openRow } from '../../kit/import/rows.ts'
import { importRow, type ImportRecord, type RowProblem } from '../../kit/import/table.ts'
import { fieldErrors } from '../../kit/parse.ts'
import { newId } from '../../kit/record.ts'
import { newRow } from '../../kit/resource/change.ts'
import type { ResourceDefinition } from '../../kit/resource/definition.ts'
import { auditMany, insertMany } from '../../kit/resource/many.ts'
import { sealFields } from '../../kit/resource/secrets.ts'
import { MANY } from '../../kit/resource/visible.ts'
import type { Secrets } from '../../kit/secrets.ts'
import type { Importer } from './run.ts'

const BATCH = 500

/** What a batch did. */
export interface BatchTally {
  processed: number
  created: number
  updated: number
  skipped: number
}

interface Outcome {
  row: number
  outcome: 'created' | 'updated' | 'skipped' | 'refused'
  recordId?: string
  problems?: RowProblem[]
}

interface GoodRow {
  row: number
  /** What the file said, without what the schema adds. */
  given: Record<string, unknown>
  input: Record<string, unknown>
  identity: string | undefined
  duplicate: boolean
}

const DUPLICATE: RowProblem = { path: '', code: 'record.duplicate', message: 'There is one already' }
const DENIED: RowProblem = { path: '', code: 'access.denied', message: 'Not allowed' }

/** Applies the next rows of an import that have no outcome, and notes the outcome of each; none are left when it gives 0. */
export async function applyBatch(
  work: Work,
  secrets: Secrets,
  importer: Importer,
  definition: ResourceDefinition,
  batch: ImportRecord,
): Promise<BatchTally> {
  const rows = await work.tx
    .select()
    .from(importRow)
    .where(and(eq(importRow.importId, batch.id), isNull(importRow.outcome)))
    .orderBy(asc(importRow.row))
    .limit(BATCH)
  const outcomes: Outcome[] = []
  const good: GoodRow[] = []
  const fields = importFields(definition.imported.schema, definition.secrets)
  const toInput = rowReader(fields, batch.mapping, batch.columns, batch.format)
  for (const { row, source, problems, duplicate } of rows) {
    if (problems) {
      outcomes.push({ row, outcome: 'refused' })
      continue
    }
    const given = toInput(openRow(secrets, batch.id, { row, source }))
    const parsed = definition.imported.schema.safeParse(given)
    if (parsed.success) {
      const identity = definition.identity?.ofInput(parsed.data)
      good.push({ row, given, input: parsed.data, identity, duplicate })
    } else
      outcomes.push({
        row,
        outcome: 'refused',
        problems: fieldErrors(parsed.error, given).map(({ path, code, message }) => ({
          path,
          code,
          message,
        })),
      })
  }
  const created = await createRows(work, secrets, importer, definition, good)
  outcomes.push(...created.outcomes)
  outcomes.push(...(await settleDuplicates(work, secrets, importer, definition, batch, created.duplicates)))
  await note(work, batch.id, outcomes)
  await auditMany(
    work.tx,
    { id: importer.user.id, name: importer.user.username, address: '', requestId: '' },
    { feature: definition.feature, label: `${definition.feature}.import` },
    outcomes.flatMap(({ recordId, row, outcome }) =>
      recordId === undefined ? [] : [{ id: recordId, after: { import: batch.id, row, outcome } }],
    ),
  )
  return tell(work, definition, batch, outcomes)
}

/** Inserts what is new, all at once. A row that the database has by now is a duplicate like any other. */
async function createRows(
  work: Work,
  secrets: Secrets,
  { user, can }: Importer,
  definition: ResourceDefinition,
  good: readonly GoodRow[],
): Promise<{ outcomes: Outcome[]; duplicates: GoodRow[] }> {
  const duplicates = good.filter((one) => one.duplicate)
  const outcomes: Outcome[] = []
  const records = new Map<string, GoodRow>()
  const values: Record<string, unknown>[] = []
  for (const one of good) {
    if (one.duplicate) continue
    const id = newId()
    const by = { ownerId: user.id, createdBy: user.id }
    const record = {
      ...newRow(secrets, definition, id, one.input, by),
      ...definition.imported.columns,
    }
    if (!can('CREATE', definition.subject, record)) {
      outcomes.push({ row: one.row, outcome: 'refused', problems: [DENIED] })
      continue
    }
    records.set(id, one)
    values.push(record)
  }
  const made = await insertMany(work.tx, definition.table, values)
  for (const [id, one] of records) {
    if (made.has(id)) outcomes.push({ row: one.row, outcome: 'created', recordId: id })
    else duplicates.push(one)
  }
  return { outcomes, duplicates: duplicates.sort((a, b) => a.row - b.row) }
}

/** What becomes of rows that exist already, as was asked for. */
async function settleDuplicates(
  work: Work,
  secrets: Secrets,
  importer: Importer,
  definition: ResourceDefinition,
  batch: ImportRecord,
  duplicates: readonly GoodRow[],
): Promise<Outcome[]> {
  if (batch.onDuplicate !== 'update') {
    const outcome = batch.onDuplicate === 'refuse' ? 'refused' : 'skipped'
    return duplicates.map(({ row }) => ({ row, outcome, problems: [DUPLICATE] }))
  }
  const { table } = definition
  const existing = await existingOf(work, importer.user.id, definition, duplicates)
  const outcomes: Outcome[] = []
  for (const { row, given, input, identity } of duplicates) {
    const record = existing.get(identity ?? '')
    if (!record || !importer.can('UPDATE', definition.subject, record)) {
      outcomes.push({ row, outcome: 'refused', problems: [record ? DENIED : DUPLICATE] })
      continue
    }
    const { id } = record
    const changes = Object.fromEntries(Object.keys(given).map((name) => [name, input[name]]))
    await work.tx
      .update(table)
      .set({
        ...definition.columns(changes, record),
        ...sealFields(secrets, table, definition.secrets, id, changes),
        version: sql`${table.version} + 1`,
        updatedAt: sql`now()`,
      })
      .where(eq(table.id, id))
    outcomes.push({ row, outcome: 'updated', recordId: id })
  }
  return outcomes
}

const foundRow = z.object({ identity: z.string(), row: z.looseObject({ id: z.string() }) })

/** The importer's own records that these rows mean, by identity; held until the batch is done. */
async function existingOf(
  work: Work,
  ownerId: string,
  { table, identity }: ResourceDefinition,
  duplicates: readonly GoodRow[],
): Promise<Map<string, { id: string }>> {
  const wanted = [...new Set(duplicates.map((one) => one.identity ?? ''))]
  if (!identity || wanted.length === 0) return new Map()
  const found = await work.tx
    .select({ identity: sql<string>`${identity.ofRow}`, row: table })
    .from(table)
    .where(
      and(
        eq(table.ownerId, ownerId),
        isNull(table.deletedAt),
        sql`${identity.ofRow} = any(${sql.param(wanted)}::text[])`,
      ),
    )
    .orderBy(desc(table.id))
    .for('update')
  // The oldest comes last and stays.
  return new Map(found.map((one) => foundRow.parse(one)).map(({ identity: key, row }) => [key, row]))
}

async function note(work: Work, importId: string, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return
  const column = <T>(pick: (outcome: Outcome) => T) => sql.param(outcomes.map(pick))
  await work.tx.execute(sql`
    update import_row r set outcome = t.outcome, record_id = t.record_id, problems = coalesce(r.problems, t.problems::jsonb)
    from unnest(${column(({ row }) => row)}::integer[], ${column(({ outcome }) => outcome)}::text[],
      ${column(({ recordId }) => recordId ?? null)}::uuid[],
      ${column(({ problems }) => (problems ? JSON.stringify(problems) : null))}::text[])
      as t(row, outcome, record_id, problems)
    where r.import_id = ${importId} and r.row = t.row`)
}

/** Counts the outcomes and tells of them. */
function tell(
  work: Work,
  { feature }: ResourceDefinition,
  { ownerId }: ImportRecord,
  outcomes: readonly Outcome[],
): BatchTally {
  const tally: BatchTally = { processed: outcomes.length, created: 0, updated: 0, skipped: 0 }
  for (const { outcome } of outcomes)
    tally[outcome === 'created' || outcome === 'updated' ? outcome : 'skipped'] += 1
  if (tally.created > 0) work.event({ feature, id: MANY, kind: 'created', ownerId })
  if (tally.updated > 0) work.event({ feature, id: MANY, kind: 'updated', ownerId })
  return tally
}
