import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { bulks } from '@weft/contract/bulks/api'
import { AppError } from '../../kit/app-error.ts'
import { begin, proceed, viewOfBulk } from '../../kit/bulk/begin.ts'
import { changeOfUndo, rightFor } from '../../kit/bulk/plan.ts'
import { changedBy, FEW } from '../../kit/bulk/select.ts'
import { bulk, bulkRow, type BulkRecord } from '../../kit/bulk/table.ts'
import { bulkView, canBeUndone, firstRefused } from '../../kit/bulk/view.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { newId } from '../../kit/record.ts'
import { definitionOf } from '../../kit/resource.ts'
import { idsOf } from '../../kit/resource/definition.ts'
import { oneOf } from '../../kit/resource/view.ts'
import { endEarly } from './end.ts'

/** What follows a bulk. Only whoever began it finds it. */
export function bulkHandlers(deps: Deps): Implementation<typeof bulks> {
  return {
    list: (ctx, input) =>
      listOf(ctx.tx, input, {
        rows: (tx) => tx.select({ row: bulk, refused: firstRefused }).from(bulk).$dynamic(),
        table: bulk,
        id: bulk.id,
        where: [eq(bulk.userId, ctx.user.id), oneOf(bulk.kind, input.kind), oneOf(bulk.state, input.state)],
        sort: { createdAt: bulk.createdAt },
        defaultSort: { by: 'createdAt', desc: true },
        present: (rows) => rows.map(({ row, refused }) => bulkView(row, refused)),
      }),

    async get(ctx, { id }) {
      await ownBulk(ctx, id)
      return viewOfBulk(ctx.tx, id)
    },

    async refused(ctx, input) {
      await ownBulk(ctx, input.id)
      return listOf(ctx.tx, input, {
        // A record may be among those of other bulks too: its id alone says nothing here.
        rows: (tx) =>
          tx
            .select({ row: bulkRow })
            .from(bulkRow)
            .innerJoin(bulk, and(eq(bulk.id, bulkRow.bulkId), eq(bulk.id, input.id)))
            .$dynamic(),
        keys: (tx) =>
          tx
            .select({ id: sql<string>`${bulkRow.recordId}`.as('id') })
            .from(bulkRow)
            .$dynamic(),
        table: bulkRow,
        id: bulkRow.recordId,
        where: [eq(bulkRow.bulkId, input.id), isNotNull(bulkRow.code)],
        sort: { id: bulkRow.recordId },
        defaultSort: { by: 'id' },
        present: (rows) =>
          rows.map(({ row: { recordId, name, code } }) => ({
            id: recordId,
            name: name ?? '',
            code: code ?? '',
          })),
      })
    },

    async undo(ctx, { id }) {
      const row = await ownBulk(ctx, id, { lock: true })
      if (!canBeUndone(row)) throw new AppError('bulk.cannot_undo')
      const definition = definitionOf(deps, row.kind)
      if (!ctx.can(rightFor(row.action), definition.subject)) throw new AppError('access.denied')
      await ctx.tx.update(bulk).set({ state: 'undone' }).where(eq(bulk.id, id))
      const made = await begin(ctx, definition, {
        id: newId(),
        action: 'undo',
        fields: row.fields,
        tags: row.tags,
        input: null,
        undoes: id,
      })
      const small = row.done - row.unchanged <= FEW
      const few = small ? [...(await idsOf(ctx.tx, changedBy(id)))].sort() : undefined
      return proceed(ctx, deps.secrets, definition, made, changeOfUndo(made), few, { done: id })
    },

    async cancel(ctx, { id }) {
      const row = await ownBulk(ctx, id, { lock: true })
      if (row.state !== 'running') throw new AppError('bulk.not_running')
      await endEarly(deps, ctx, row, 'cancelled')
      ctx.audit({ feature: 'bulks', recordId: id, after: { kind: row.kind, processed: row.processed } })
      return viewOfBulk(ctx.tx, id)
    },
  }
}

async function ownBulk(
  ctx: Pick<CallContext, 'tx' | 'user'>,
  id: string,
  options: { lock?: boolean } = {},
): Promise<BulkRecord> {
  const query = ctx.tx
    .select()
    .from(bulk)
    .where(and(eq(bulk.id, id), eq(bulk.userId, ctx.user.id)))
  const [row] = await (options.lock ? query.for('update') : query)
  if (!row) throw new AppError('record.not_found')
  return row
}

/** Of these, those that somebody began. */
export async function ownBulks(ctx: Pick<CallContext, 'tx' | 'user'>, ids: readonly string[]) {
  const rows = await ctx.tx
    .select({ id: bulk.id })
    .from(bulk)
    .where(and(inArray(bulk.id, [...ids]), eq(bulk.userId, ctx.user.id)))
  return new Set(rows.map((row) => row.id))
}
