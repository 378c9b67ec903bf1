import { and, desc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Work } from '../../kit/context.ts'
import type { ImportRecord } from '../../kit/import/table.ts'
import type { ResourceDefinition } from '../../kit/resource/definition.ts'
import { updateMany } from '../../kit/resource/many.ts'
import { sealFields } from '../../kit/resource/secrets.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { DENIED, DUPLICATE, type Created, type GoodRow, type Importer, type Outcome } from './outcome.ts'

/** What becomes of rows that exist already, as was asked for. */
export async function settleDuplicates(
  work: Work,
  secrets: Secrets,
  importer: Importer,
  definition: ResourceDefinition,
  batch: ImportRecord,
  { duplicates, identities }: Created,
): Promise<Outcome[]> {
  if (batch.onDuplicate !== 'update') {
    const outcome = batch.onDuplicate === 'refuse' ? 'refused' : 'skipped'
    return duplicates.map(({ row }) => ({ row, outcome, problems: [DUPLICATE] }))
  }
  const existing = await existingOf(work, importer.user.id, definition, batch, duplicates, identities)
  const outcomes: Outcome[] = []
  const changes: { id: string; columns: Record<string, unknown> }[] = []
  for (const one of duplicates) {
    const record = existing(one)
    if (!record || !importer.can('UPDATE', definition.subject, record)) {
      outcomes.push({ row: one.row, outcome: 'refused', problems: [record ? DENIED : DUPLICATE] })
      continue
    }
    const { id } = record
    const fields = Object.fromEntries(Object.keys(one.given).map((name) => [name, one.input[name]]))
    const columns = {
      ...definition.columns(fields, record),
      ...sealFields(secrets, definition.table, definition.secrets, id, fields),
    }
    changes.push({ id, columns })
    outcomes.push({ row: one.row, outcome: 'updated', recordId: id })
  }
  await updateMany(work.tx, definition.table, changes)
  return outcomes
}

const foundRow = z.object({ identity: z.string(), row: z.looseObject({ id: z.string() }) })
const madeRow = z.object({ identity: z.string(), id: z.string() })

/**
 * Finds the importer's own records that rows mean: the one that the check found, or the one that an earlier row made.
 * Only where neither is there any more is it looked for by what it is, which takes longer. They are held until the batch
 * is done.
 */
async function existingOf(
  work: Work,
  ownerId: string,
  { table, identity }: ResourceDefinition,
  batch: ImportRecord,
  duplicates: readonly GoodRow[],
  created: ReadonlyMap<string, string>,
): Promise<(one: GoodRow) => { id: string } | undefined> {
  if (!identity || duplicates.length === 0) return () => undefined
  const own = and(eq(table.ownerId, ownerId), isNull(table.deletedAt))
  const load = async (where: SQL | undefined) => {
    const found = await work.tx
      .select({ identity: sql<string>`${identity.ofRow}`, row: table })
      .from(table)
      .where(and(own, where))
      .orderBy(desc(table.id))
      .for('update')
    // The oldest comes last and stays.
    return new Map(found.map((one) => foundRow.parse(one)).map(({ identity: key, row }) => [key, row]))
  }
  const identities = [...new Set(duplicates.map((one) => one.identity ?? ''))]
  const earlier = await work.tx.execute(sql`
    select identity, record_id as id from import_row
    where import_id = ${batch.id} and identity = any(${sql.param(identities)}::text[]) and outcome = 'created'`)
  const made = new Map([
    ...earlier.rows.map((raw) => madeRow.parse(raw)).map(({ identity: key, id }) => [key, id] as const),
    ...created,
  ])
  const ids = duplicates.flatMap((one) => one.recordId ?? made.get(one.identity ?? '') ?? [])
  const known = await load(inArray(table.id, ids))
  const missing = identities.filter((key) => !known.has(key))
  const late =
    missing.length > 0 ? await load(sql`${identity.ofRow} = any(${sql.param(missing)}::text[])`) : known
  return ({ identity: key = '' }) => known.get(key) ?? late.get(key)
}
