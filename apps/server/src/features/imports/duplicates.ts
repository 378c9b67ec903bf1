import { and, desc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Work } from '../../kit/context.ts'
import { extrasOf } from '../../kit/bulk/step.ts'
import type { ImportRecord } from '../../kit/import/table.ts'
import { Pace } from '../../kit/pace.ts'
import { difference } from '../../kit/resource/change.ts'
import type { ResourceDefinition } from '../../kit/resource/definition.ts'
import { updateMany } from '../../kit/resource/many.ts'
import { sealFields } from '../../kit/resource/secrets.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { DENIED, DUPLICATE, type Created, type GoodRow, type Importer, type Outcome } from './outcome.ts'
import { changing, mayChange } from './rights.ts'

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
  // Two rows may mean one record: the second finds it as the first left it.
  const changed = new Map<string, Existing['record']>()
  const pace = new Pace()
  for (const one of duplicates) {
    if (pace.due) await pace.turn()
    const found = existing(one)
    if (!found) {
      outcomes.push({ row: one.row, outcome: 'refused', problems: [DUPLICATE] })
      continue
    }
    const record = changed.get(found.record.id) ?? found.record
    const { id, version } = record
    const fields = given(one, record)
    const sealed = sealFields(secrets, definition.table, definition.secrets, id, fields)
    const columns = present({ ...definition.columns(fields, record), ...sealed })
    if (
      !mayChange(importer, definition, record, changing(definition, record, columns, Object.keys(fields)))
    ) {
      outcomes.push({ row: one.row, outcome: 'refused', problems: [DENIED] })
      continue
    }
    const after = { ...record, ...columns, version: version + 1 }
    const history = difference(
      definition.present(record, found.extras, NOBODY),
      definition.present(after, found.extras, NOBODY),
      definition.secrets,
      fields,
    )
    const before = Object.fromEntries(Object.keys(columns).map((name) => [name, record[name] ?? null]))
    changes.push({ id, columns })
    changed.set(id, after)
    const change = { version: version + 1, before, history }
    outcomes.push({ row: one.row, outcome: 'updated', recordId: id, change })
  }
  await updateMany(work.tx, definition.table, changes)
  return outcomes
}

// What a person may do now does not belong to the history.
const NOBODY = { can: () => false }

/** What a row gives. Parts of a field that it does not name stay as they are. */
function given(one: Pick<GoodRow, 'given' | 'input'>, record: Existing['record']): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(one.given).map((name) => {
      const [parts, now, read] = [one.given[name], record[name], one.input[name]]
      if (!hasParts(parts) || !hasParts(now) || !hasParts(read)) return [name, read]
      const named = Object.entries(read).filter(([part]) => Object.hasOwn(parts, part))
      return [name, { ...now, ...Object.fromEntries(named) }]
    }),
  )
}

const hasParts = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** The columns that get a value. */
const present = (columns: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))

const foundRow = z
  .object({
    identity: z.string(),
    row: z.looseObject({ id: z.string(), version: z.number() }),
    extras: z.record(z.string(), z.unknown()),
  })
  .transform(({ identity, row, extras }) => ({ identity, record: row, extras }))
type Existing = z.output<typeof foundRow>
const madeRow = z.object({ identity: z.string(), id: z.string() })

/**
 * Finds the importer's own records that rows mean: the one that the check found, or the one that an earlier row made.
 * Only where neither is there any more is it looked for by what it is, which takes longer. They are held until the batch
 * is done.
 */
async function existingOf(
  work: Work,
  ownerId: string,
  definition: ResourceDefinition,
  batch: ImportRecord,
  duplicates: readonly GoodRow[],
  created: ReadonlyMap<string, string>,
): Promise<(one: GoodRow) => Existing | undefined> {
  const { table, identity } = definition
  if (!identity || duplicates.length === 0) return () => undefined
  const own = and(eq(table.ownerId, ownerId), isNull(table.deletedAt))
  const load = async (where: SQL | undefined) => {
    const found = await work.tx
      .select({ identity: sql<string>`${identity.ofRow}`, row: table, extras: extrasOf(definition) })
      .from(table)
      .where(and(own, where))
      .orderBy(desc(table.id))
      .for('update')
    // The oldest comes last and stays.
    return new Map(found.map((one) => foundRow.parse(one)).map((one) => [one.identity, one]))
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
