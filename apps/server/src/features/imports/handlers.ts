import { and, eq, isNull, not, sql } from 'drizzle-orm'
import { imports } from '@weft/contract/imports/api'
import { stream } from '../../kit/answers.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { importBatch, importRow, type ImportRecord } from '../../kit/import/table.ts'
import { importView } from '../../kit/import/view.ts'
import { listOf } from '../../kit/list.ts'
import { definitionOf } from '../../kit/resource.ts'
import type { ResourceDefinition } from '../../kit/resource/definition.ts'
import { auditMany } from '../../kit/resource/many.ts'
import { oneOf } from '../../kit/resource/view.ts'
import { manyOf } from '../../kit/resource/visible.ts'
import { columnsOf } from './columns.ts'
import { applyImport } from './jobs.ts'
import { rejectedCsv } from './rejected.ts'

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
        present: (rows) => rows.map(importView),
      }),

    get: async (ctx, { id }) => importView(await ownImport(ctx, id)),

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
      if (duplicates === 'update' && !ctx.can('UPDATE', subject)) throw new AppError('access.denied')
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
      return importView(after)
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
      if (row.state !== 'finished' || row.created === 0) throw new AppError('import.cannot_undo')
      const definition = definitionOf(deps, row.kind)
      if (!ctx.can('DELETE', definition.subject)) throw new AppError('access.denied')
      const taken = await takeBack(ctx, definition, id)
      if (taken === 0) throw new AppError('import.cannot_undo')
      const after = await change(ctx, id, {
        state: 'undone',
        created: sql`${importBatch.created} - ${taken}`,
      })
      ctx.audit({ feature: 'imports', recordId: id, after: { kind: row.kind, takenBack: taken } })
      ctx.event({
        feature: definition.feature,
        id: manyOf(ctx.user.id),
        kind: 'deleted',
        ownerId: ctx.user.id,
      })
      return importView(after)
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

/**
 * Puts into the trash what an import created, but for what was changed or is used since, and leaves a line in the history of
 * each. Gives how many.
 */
async function takeBack(ctx: CallContext, definition: ResourceDefinition, importId: string): Promise<number> {
  const { table } = definition
  const rows = await ctx.tx
    .update(table)
    .set({ deletedAt: sql`now()`, updatedAt: sql`now()`, version: sql`${table.version} + 1` })
    .where(
      and(
        sql`${table.id} in (select ${importRow.recordId} from ${importRow}
          where ${importRow.importId} = ${importId} and ${importRow.outcome} = 'created')`,
        isNull(table.deletedAt),
        eq(table.version, 1),
        not(definition.used),
        definition.lease ? sql`${definition.lease} is null` : undefined,
      ),
    )
    .returning({ id: table.id })
  await auditMany(
    ctx.tx,
    { id: ctx.user.id, name: ctx.user.username, address: ctx.address, requestId: ctx.requestId },
    { feature: definition.feature, label: `${definition.subject.toLowerCase()}.delete` },
    rows.map(({ id }) => ({
      id: String(id),
      before: { deleted: false },
      after: { deleted: true, import: importId },
    })),
  )
  return rows.length
}
