import { and, eq, sql } from 'drizzle-orm'
import { imports } from '@weft/contract/imports/api'
import { stream } from '../../kit/answers.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { importBatch, type ImportRecord } from '../../kit/import/table.ts'
import { importView, importViews } from '../../kit/import/view.ts'
import { listOf } from '../../kit/list.ts'
import { definitionOf } from '../../kit/resource.ts'
import { expectMany, settleMany } from '../../kit/resource/flood.ts'
import { oneOf } from '../../kit/resource/view.ts'
import { manyOf } from '../../kit/resource/visible.ts'
import { columnsOf } from './columns.ts'
import { applyImport } from './jobs.ts'
import { rejectedCsv } from './rejected.ts'
import { fieldsOf } from './rights.ts'
import { putBack, takeBack } from './undo.ts'

/** The steps after an upload. Only whoever uploaded the rows finds the import. */
export function importHandlers(deps: Deps): Implementation<typeof imports> {
  return {
    list: (ctx, input) =>
      listOf(ctx.tx, input, {
        rows: (tx) => tx.select().from(importBatch).$dynamic(),
        table: importBatch,
        id: importBatch.id,
        where: [
          eq(importBatch.ownerId, ctx.user.id),
          oneOf(importBatch.kind, input.kind),
          oneOf(importBatch.state, input.state),
        ],
        sort: { createdAt: importBatch.createdAt },
        defaultSort: { by: 'createdAt', desc: true },
        present: (rows, tx) => importViews(tx, rows),
      }),

    get: async (ctx, { id }) => importView(ctx.tx, await ownImport(ctx, id)),

    async columns(ctx, { kind }) {
      const definition = definitionOf(deps, kind)
      if (!ctx.can('IMPORT', definition.subject)) throw new AppError('access.denied')
      return columnsOf(kind, definition)
    },

    async apply(ctx, { id, take, duplicates }) {
      const row = await ownImport(ctx, id, { lock: true })
      if (row.state !== 'checked' && row.state !== 'failed')
        throw new AppError('record.wrong_state', { state: row.state })
      const { subject } = definitionOf(deps, row.kind)
      if (!ctx.can('IMPORT', subject) || !ctx.can('CREATE', subject)) throw new AppError('access.denied')
      if (
        duplicates === 'update' &&
        !fieldsOf(row.mapping).some((field) => ctx.can('UPDATE', subject, undefined, field))
      )
        throw new AppError('access.denied')
      const bad = row.bad + (duplicates === 'refuse' ? row.duplicates : 0)
      if (take === 'all' && bad > 0) throw new AppError('import.has_bad_rows', { count: bad })
      const after = await change(ctx, id, {
        state: 'running',
        take,
        onDuplicate: duplicates,
        startedAt: sql`coalesce(${importBatch.startedAt}, now())`,
      })
      await ctx.enqueue(applyImport, { importId: id })
      ctx.audit({
        feature: 'imports',
        recordId: id,
        after: { kind: row.kind, take, duplicates, total: row.total },
      })
      return importView(ctx.tx, after)
    },

    async rejected(ctx, { id }) {
      const row = await ownImport(ctx, id)
      return stream({
        contentType: 'text/csv; charset=utf-8',
        fileName: `${row.kind}-rejected.csv`,
        body: rejectedCsv(ctx.tx, deps.secrets, row, definitionOf(deps, row.kind)),
      })
    },

    async undo(ctx, { id }) {
      const row = await ownImport(ctx, id, { lock: true })
      if (row.state !== 'finished' || row.created + row.updated === 0)
        throw new AppError('import.cannot_undo')
      const definition = definitionOf(deps, row.kind)
      const { feature, subject } = definition
      if (row.created > 0 && !ctx.can('DELETE', subject)) throw new AppError('access.denied')
      if (row.created === 0 && !ctx.can('UPDATE', subject)) throw new AppError('access.denied')
      await expectMany(ctx.tx)
      // First what was made: what a later row changed of it needs no former values.
      const { taken, updates } =
        row.created > 0 ? await takeBack(ctx, definition, row) : { taken: 0, updates: 0 }
      const putBackRows = row.updated > updates ? await putBack(ctx, definition, row) : 0
      if (taken + putBackRows === 0) throw new AppError('import.cannot_undo')
      ctx.afterCommit(() => settleMany(deps.db, definition.table))
      const after = await change(ctx, id, {
        state: 'undone',
        created: sql`${importBatch.created} - ${taken}`,
        updated: sql`${importBatch.updated} - ${putBackRows + updates}`,
      })
      ctx.audit({
        feature: 'imports',
        recordId: id,
        after: { kind: row.kind, takenBack: taken, putBack: putBackRows },
      })
      const ownerId = ctx.user.id
      if (taken > 0) ctx.event({ feature, id: manyOf(ownerId), kind: 'deleted', ownerId })
      if (putBackRows > 0) ctx.event({ feature, id: manyOf(ownerId), kind: 'updated', ownerId })
      return importView(ctx.tx, after)
    },
  }
}

async function ownImport(
  ctx: Pick<CallContext, 'tx' | 'user'>,
  id: string,
  options: { lock?: boolean } = {},
): Promise<ImportRecord> {
  const query = ctx.tx
    .select()
    .from(importBatch)
    .where(and(eq(importBatch.id, id), eq(importBatch.ownerId, ctx.user.id)))
  const [row] = await (options.lock ? query.for('update') : query)
  if (!row) throw new AppError('record.not_found')
  return row
}

async function change(
  ctx: CallContext,
  id: string,
  changes: Parameters<ReturnType<typeof ctx.tx.update<typeof importBatch>>['set']>[0],
): Promise<ImportRecord> {
  const [row] = await ctx.tx.update(importBatch).set(changes).where(eq(importBatch.id, id)).returning()
  if (!row) throw new AppError('record.not_found')
  ctx.event({ feature: 'imports', id, kind: 'updated', ownerId: ctx.user.id })
  return row
}
