import { and, isNull, not, sql } from 'drizzle-orm'
import { z } from 'zod'
import { extrasOf, write } from '../../kit/bulk/step.ts'
import type { Refusal } from '../../kit/bulk/notes.ts'
import { revived } from '../../kit/bulk/plan.ts'
import type { CallContext } from '../../kit/context.ts'
import { anyOf } from '../../kit/recordset.ts'
import { difference } from '../../kit/resource/change.ts'
import type { ResourceDefinition } from '../../kit/resource/definition.ts'
import { auditMany, type Author } from '../../kit/resource/many.ts'

/** So many records are put back at a time. */
const BATCH = 1000

const NOBODY = { can: () => false }

/**
 * Puts into the trash what an import created, but for what was changed or is used since, and leaves a line in the history of
 * each. Gives how many.
 */
export async function takeBack(
  ctx: CallContext,
  definition: ResourceDefinition,
  importId: string,
): Promise<number> {
  const { table } = definition
  const rows = await ctx.tx
    .update(table)
    .set({ deletedAt: sql`now()`, updatedAt: sql`now()`, version: sql`${table.version} + 1` })
    .where(
      and(
        // A later row of the same import may have changed what an earlier one made.
        sql`(${table.id}, ${table.version}) in (
          select record_id, max(coalesce(version, 1)) from import_row
          where import_id = ${importId} and record_id is not null
          group by record_id having bool_or(outcome = 'created'))`,
        isNull(table.deletedAt),
        not(definition.used),
        definition.lease ? sql`${definition.lease} is null` : undefined,
      ),
    )
    .returning({ id: table.id })
  await auditMany(
    ctx.tx,
    authorOf(ctx),
    { feature: definition.feature, label: `${definition.subject.toLowerCase()}.delete` },
    rows.map(({ id }) => ({
      id: String(id),
      before: { deleted: false },
      after: { deleted: true, import: importId },
    })),
  )
  return rows.length
}

const changedRow = z.object({
  id: z.string(),
  version: z.number(),
  rows: z.number(),
  before: z.record(z.string(), z.unknown()),
})
const recordRow = z.looseObject({ id: z.string(), version: z.number() })

/**
 * Gives the records that an import changed their former values, but for those that somebody changed since, and leaves a line
 * in the history of each. Gives how many rows were undone by that.
 */
export async function putBack(
  ctx: CallContext,
  definition: ResourceDefinition,
  importId: string,
): Promise<number> {
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
    undone += await putBackThese(ctx, definition, importId, changed)
  }
}

async function putBackThese(
  ctx: CallContext,
  definition: ResourceDefinition,
  importId: string,
  changed: ReadonlyMap<string, z.output<typeof changedRow>>,
): Promise<number> {
  const { table, subject, feature } = definition
  const records = await ctx.tx
    .select({ row: table, extras: sql<Record<string, unknown>>`${extrasOf(definition)}` })
    .from(table)
    .where(and(sql`${table.id} = ${anyOf([...changed.keys()])}`, isNull(table.deletedAt)))
    .orderBy(table.id)
    .for('update', { of: table })
  const wanted = records.flatMap(({ row, extras }) => {
    const { id, version } = recordRow.parse(row)
    const earlier = changed.get(id)
    if (!earlier || earlier.version !== version || !ctx.can('UPDATE', subject, row)) return []
    const columns = revived(definition, earlier.before)
    const sealed = Object.fromEntries(
      definition.secrets.filter((field) => field in columns).map((field) => [field, null]),
    )
    const now = definition.present(row, extras, NOBODY)
    const then = definition.present({ ...row, ...columns }, extras, NOBODY)
    const history = difference(now, then, definition.secrets, sealed)
    return [{ id, name: '', columns, history, rows: earlier.rows }]
  })
  const refused: Refusal[] = []
  const done = await write(ctx, definition, wanted, refused)
  await auditMany(
    ctx.tx,
    authorOf(ctx),
    { feature, label: `${subject.toLowerCase()}.undo` },
    done.map(({ id, history: { before, after } }) => ({ id, before, after: { ...after, import: importId } })),
  )
  return done.reduce((sum, { rows }) => sum + rows, 0)
}

function authorOf({ user, address, requestId }: CallContext): Author {
  return { id: user.id, name: user.username, address, requestId }
}
