import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Work } from '../../kit/context.ts'
import { zoneOf } from '../../kit/import/days.ts'
import { importFields, rowReader } from '../../kit/import/fields.ts'
import { openRow } from '../../kit/import/rows.ts'
import { importRow, type ImportRecord } from '../../kit/import/table.ts'
import { Pace } from '../../kit/pace.ts'
import { fieldErrors } from '../../kit/parse.ts'
import { isQuotaKind, roomFor } from '../../kit/quota.ts'
import { newId } from '../../kit/record.ts'
import { newRow } from '../../kit/resource/change.ts'
import type { ResourceDefinition } from '../../kit/resource/definition.ts'
import { auditMany, insertMany } from '../../kit/resource/many.ts'
import { manyOf } from '../../kit/resource/visible.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { settleDuplicates } from './duplicates.ts'
import { DENIED, FULL, type Created, type GoodRow, type Importer, type Outcome } from './outcome.ts'

const BATCH = 500

/** What a batch did. */
export interface BatchTally {
  processed: number
  created: number
  updated: number
  skipped: number
  refused: number
}

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
  const zone = await zoneOf(work.tx, importer.user.id)
  const toInput = rowReader(fields, batch.mapping, batch.columns, batch.format, zone)
  const pace = new Pace()
  for (const { row, source, problems, duplicate, recordId } of rows) {
    if (pace.due) await pace.turn()
    if (problems) {
      outcomes.push({ row, outcome: 'refused' })
      continue
    }
    const given = toInput(openRow(secrets, batch.id, { row, source }))
    const parsed = definition.imported.schema.safeParse(given)
    if (parsed.success) {
      const identity = definition.identity?.ofInput(parsed.data)
      good.push({ row, given, input: parsed.data, identity, duplicate, recordId })
    } else
      outcomes.push({
        row,
        outcome: 'refused',
        problems: fieldErrors(parsed.error, given),
      })
  }
  const created = await createRows(work, secrets, importer, definition, good)
  outcomes.push(...created.outcomes)
  outcomes.push(...(await settleDuplicates(work, secrets, importer, definition, batch, created)))
  await note(work, batch.id, outcomes)
  await auditMany(
    work.tx,
    { id: importer.user.id, name: importer.user.username, address: '', requestId: '' },
    { feature: definition.feature, label: `${definition.subject.toLowerCase()}.import` },
    outcomes.flatMap(({ recordId, row, outcome, change }) => {
      if (recordId === undefined) return []
      const from = { import: batch.id, row, outcome }
      const { before, after } = change?.history ?? {}
      return [{ id: recordId, ...(before ? { before } : {}), after: { ...after, ...from } }]
    }),
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
): Promise<Created> {
  const duplicates = good.filter((one) => one.duplicate)
  const outcomes: Outcome[] = []
  const identities = new Map<string, string>()
  const records = new Map<string, GoodRow>()
  const values: Record<string, unknown>[] = []
  const { feature } = definition
  const wanted = good.filter((one) => !one.duplicate).length
  const room = isQuotaKind(feature) ? await roomFor(work.tx, user.id, feature, wanted) : undefined
  const pace = new Pace()
  for (const one of good) {
    if (one.duplicate) continue
    if (pace.due) await pace.turn()
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
    if (room && values.length >= room.left) {
      outcomes.push({ row: one.row, outcome: 'refused', problems: [FULL] })
      continue
    }
    records.set(id, one)
    values.push(record)
  }
  const made = await insertMany(work.tx, definition.table, values)
  for (const [id, one] of records) {
    if (made.has(id)) {
      outcomes.push({ row: one.row, outcome: 'created', recordId: id })
      if (one.identity !== undefined) identities.set(one.identity, id)
    } else duplicates.push(one)
  }
  return { outcomes, duplicates: duplicates.sort((a, b) => a.row - b.row), identities }
}

async function note(work: Work, importId: string, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return
  const column = <T>(pick: (outcome: Outcome) => T) => sql.param(outcomes.map(pick))
  await work.tx.execute(sql`
    update import_row r set outcome = t.outcome, record_id = t.record_id, problems = coalesce(r.problems, t.problems::jsonb),
      version = t.version, before = t.before::jsonb
    from unnest(${column(({ row }) => row)}::integer[], ${column(({ outcome }) => outcome)}::text[],
      ${column(({ recordId }) => recordId ?? null)}::uuid[],
      ${column(({ problems }) => (problems ? JSON.stringify(problems) : null))}::text[],
      ${column(({ change }) => change?.version ?? null)}::integer[],
      ${column(({ change }) => (change ? JSON.stringify(change.before) : null))}::text[])
      as t(row, outcome, record_id, problems, version, before)
    where r.import_id = ${importId} and r.row = t.row`)
}

/** Counts the outcomes and tells of them. */
function tell(
  work: Work,
  { feature }: ResourceDefinition,
  { ownerId }: ImportRecord,
  outcomes: readonly Outcome[],
): BatchTally {
  const tally: BatchTally = { processed: outcomes.length, created: 0, updated: 0, skipped: 0, refused: 0 }
  for (const { outcome } of outcomes) tally[outcome] += 1
  if (tally.created > 0) work.event({ feature, id: manyOf(ownerId), kind: 'created', ownerId })
  if (tally.updated > 0) work.event({ feature, id: manyOf(ownerId), kind: 'updated', ownerId })
  return tally
}
