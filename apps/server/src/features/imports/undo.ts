import { and, eq, isNull, not, sql } from 'drizzle-orm'
import { z } from 'zod'
import { extrasOf, write } from '../../kit/bulk/step.ts'
import type { Refusal } from '../../kit/bulk/notes.ts'
import { revived } from '../../kit/bulk/plan.ts'
import type { CallContext } from '../../kit/context.ts'
import type { ImportRecord } from '../../kit/import/table.ts'
import { Pace } from '../../kit/pace.ts'
import { anyOf, isAlive } from '../../kit/recordset.ts'
import { difference } from '../../kit/resource/change.ts'
import { scopeColumns, type ResourceDefinition } from '../../kit/resource/definition.ts'
import { auditMany, type Author } from '../../kit/resource/many.ts'
import { changing, fieldsOf, mayChange } from './rights.ts'

/** So many records are put back at a time. */
const BATCH = 500

const NOBODY = { can: () => false }

const madeRow = z.object({ id: z.string(), row: z.number() })
const updatesRow = z.object({ id: z.string(), version: z.number().nullable(), updates: z.number() })

/** A record that an import made: the version it left it at, and how many later rows of it changed the record. */
interface Made {
  id: string
  version: number
  updates: number
}

/**
 * Puts into the trash what an import created, but for what was changed or is used since, or is not this person's to delete, and
 * leaves a line in the history of each. Gives how many, and how many later rows of the import changed these.
 */
export async function takeBack(
  ctx: CallContext,
  definition: ResourceDefinition,
  batch: Pick<ImportRecord, 'id' | 'updated'>,
): Promise<{ taken: number; updates: number }> {
  const sum = { taken: 0, updates: 0 }
  for (let after = 0; ;) {
    const found = await ctx.tx.execute(sql`
      select record_id as id, row from import_row
      where import_id = ${batch.id} and outcome = 'created' and row > ${after} order by row limit ${BATCH}`)
    if (found.rows.length === 0) return sum
    const rows = found.rows.map((row) => madeRow.parse(row))
    after = rows.at(-1)?.row ?? after
    const made = await madeOf(
      ctx,
      batch,
      rows.map(({ id }) => id),
    )
    const gone = await takeBackThese(ctx, definition, batch.id, made)
    sum.taken += gone.size
    for (const { id, updates } of made) if (gone.has(id)) sum.updates += updates
  }
}

/** A later row of the same import may have changed what an earlier one made. */
async function madeOf(
  { tx }: CallContext,
  { id: importId, updated }: Pick<ImportRecord, 'id' | 'updated'>,
  ids: readonly string[],
): Promise<Made[]> {
  if (updated === 0) return ids.map((id) => ({ id, version: 1, updates: 0 }))
  const found = await tx.execute(sql`
    select record_id as id, max(version) as version, count(*)::int as updates from import_row
    where import_id = ${importId} and outcome = 'updated' and record_id = ${anyOf(ids)} group by record_id`)
  const later = new Map(found.rows.map((row) => updatesRow.parse(row)).map((one) => [one.id, one]))
  return ids.map((id) => {
    const one = later.get(id)
    return { id, version: one?.version ?? 1, updates: one?.updates ?? 0 }
  })
}

async function takeBackThese(
  ctx: CallContext,
  definition: ResourceDefinition,
  importId: string,
  made: readonly Made[],
): Promise<ReadonlySet<string>> {
  const { table, subject } = definition
  const kept = await definition.keptBack?.(
    ctx,
    made.map(({ id }) => id),
  )
  const gone = new Set<string>()
  const free = made.filter(({ id }) => !kept?.has(id))
  for (const [version, alike] of Map.groupBy(free, (one) => one.version)) {
    const rows = await ctx.tx
      .update(table)
      .set({ deletedAt: sql`now()`, updatedAt: sql`now()`, version: sql`${table.version} + 1` })
      .where(
        and(
          sql`${table.id} = ${anyOf(alike.map(({ id }) => id))}`,
          eq(table.version, version),
          isAlive(table),
          not(definition.used),
          definition.lease ? sql`${definition.lease} is null` : undefined,
          ctx.scope('DELETE', subject, scopeColumns(table)),
        ),
      )
      .returning({ id: table.id })
    for (const { id } of rows) gone.add(String(id))
  }
  await auditMany(
    ctx.tx,
    authorOf(ctx),
    { feature: definition.feature, label: `${subject.toLowerCase()}.delete` },
    [...gone].map((id) => ({ id, before: { deleted: false }, after: { deleted: true, import: importId } })),
  )
  return gone
}

const changedRow = z.object({
  id: z.string(),
  version: z.number(),
  rows: z.number(),
  before: z.record(z.string(), z.unknown()),
})
const recordRow = z.looseObject({ id: z.string(), version: z.number() })

/**
 * Gives the records that an import changed their former values, but for those that somebody changed since or that are not this
 * person's to change so, and leaves a line in the history of each. Gives how many rows were undone by that.
 */
export async function putBack(
  ctx: CallContext,
  definition: ResourceDefinition,
  { id: importId, mapping }: Pick<ImportRecord, 'id' | 'mapping'>,
): Promise<number> {
  const fields = fieldsOf(mapping)
  let undone = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    // Where several rows changed one record, the first of them knows how it was.
    const found = await ctx.tx.execute(sql`
      select r.record_id as id, max(r.version) as version, count(*)::int as rows,
        (select jsonb_object_agg(e.key, e.value order by b.row desc) from import_row b, jsonb_each(b.before) e
          where b.import_id = ${importId} and b.outcome = 'updated' and b.record_id = r.record_id) as before
      from import_row r
      where r.import_id = ${importId} and r.outcome = 'updated' and r.version is not null and r.record_id > ${after}::uuid
      group by r.record_id order by r.record_id limit ${BATCH}`)
    if (found.rows.length === 0) return undone
    const changed = new Map(
      found.rows.map((row) => changedRow.parse(row)).map((one) => [one.id, one] as const),
    )
    after = [...changed.keys()].at(-1) ?? after
    undone += await putBackThese(ctx, definition, { importId, fields }, changed)
  }
}

/** A record that gets its former values. */
interface Wanted {
  id: string
  name: string
  columns: Record<string, unknown>
  /** The fields that become something else by that. */
  touched: readonly string[]
  history: { before: object; after: object }
  /** So many rows of the import changed it. */
  rows: number
}

async function putBackThese(
  ctx: CallContext,
  definition: ResourceDefinition,
  { importId, fields }: { importId: string; fields: readonly string[] },
  changed: ReadonlyMap<string, z.output<typeof changedRow>>,
): Promise<number> {
  const { table, subject, feature } = definition
  const records = await ctx.tx
    .select({ row: table, extras: sql<Record<string, unknown>>`${extrasOf(definition)}` })
    .from(table)
    .where(and(sql`${table.id} = ${anyOf([...changed.keys()])}`, isNull(table.deletedAt)))
    .orderBy(table.id)
    .for('update', { of: table })
  const pace = new Pace()
  const wanted: Wanted[] = []
  for (const { row, extras } of records) {
    if (pace.due) await pace.turn()
    const { id, version } = recordRow.parse(row)
    const earlier = changed.get(id)
    if (earlier?.version !== version) continue
    const columns = revived(definition, earlier.before)
    const touched = changing(definition, row, columns, fields)
    if (!mayChange(ctx, definition, row, touched)) continue
    const sealed = Object.fromEntries(
      definition.secrets.filter((field) => field in columns).map((field) => [field, null]),
    )
    const now = definition.present(row, extras, NOBODY)
    const then = definition.present({ ...row, ...columns }, extras, NOBODY)
    const history = difference(now, then, definition.secrets, sealed)
    wanted.push({ id, name: '', columns, touched, history, rows: earlier.rows })
  }
  const refused: Refusal[] = []
  const done = await write(ctx, definition, await withoutHidden(ctx, definition, wanted), refused)
  await auditMany(
    ctx.tx,
    authorOf(ctx),
    { feature, label: `${subject.toLowerCase()}.undo` },
    done.map(({ id, history: { before, after } }) => ({ id, before, after: { ...after, import: importId } })),
  )
  return done.reduce((sum, { rows }) => sum + rows, 0)
}

/** Leaves out what would be linked again to something that this person may not see any more, or that is in the trash. */
async function withoutHidden(
  ctx: CallContext,
  { links }: ResourceDefinition,
  wanted: readonly Wanted[],
): Promise<Wanted[]> {
  let left = [...wanted]
  for (const { field, visible } of links) {
    const linkOf = ({ columns, touched }: Wanted) => {
      const link = touched.includes(field) ? columns[field] : null
      return typeof link === 'string' ? link : undefined
    }
    const ids = new Set(left.flatMap((one) => linkOf(one) ?? []))
    if (ids.size === 0) continue
    const seen = await visible(ctx, [...ids])
    left = left.filter((one) => {
      const link = linkOf(one)
      return link === undefined || seen.has(link)
    })
  }
  return left
}

function authorOf({ user, address, requestId }: CallContext): Author {
  return { id: user.id, name: user.username, address, requestId }
}
