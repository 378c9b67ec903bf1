import { eq, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Action } from '@weft/contract/core/permissions'
import { databaseFailure } from '../../db/errors.ts'
import { AppError } from '../app-error.ts'
import type { CallContext, Tx } from '../context.ts'
import { isQuotaKind, requireRoom } from '../quota.ts'
import { findRecord, madeBy, newId, restoreRecords, trashRecords, updateRecord } from '../record.ts'
import type { Secrets } from '../secrets.ts'
import {
  sourceOf,
  type CommonRow,
  type CommonView,
  type Reader,
  type RecordDefinition,
  type ResourceTable,
} from './definition.ts'
import { sealFields } from './secrets.ts'
import { viewOf } from './view.ts'

/** Refuses a link to a record that the person may not see, or that is not there. */
export async function checkLinks(
  ctx: Reader,
  definition: Pick<RecordDefinition, 'links'>,
  input: object,
): Promise<void> {
  for (const { field, visible } of definition.links) {
    const id: unknown = Reflect.get(input, field)
    if (typeof id !== 'string' || (await visible(ctx, [id])).has(id)) continue
    const params = { field }
    throw new AppError('link.not_found', params, {
      errors: [{ path: field, code: 'link.not_found', message: 'Not found', params }],
    })
  }
}

/** Makes a record of the caller's. */
export async function createRecord<T extends ResourceTable, V extends CommonView, I extends object>(
  ctx: CallContext,
  secrets: Secrets,
  definition: RecordDefinition<T, V, I>,
  input: I,
): Promise<V> {
  const id = newId()
  const row = newRow(secrets, definition, id, input, madeBy(ctx))
  if (!ctx.can('CREATE', definition.subject, row)) throw new AppError('access.denied')
  await checkLinks(ctx, definition, input)
  const { feature } = definition
  if (isQuotaKind(feature)) await requireRoom(ctx.tx, ctx.user.id, feature)
  await named(ctx, definition, row, () => ctx.tx.insert(definition.table as PgTable).values(row))
  const view = await viewOf(ctx, definition, id)
  ctx.audit({ feature: definition.feature, recordId: id, after: view })
  ctx.event({ feature: definition.feature, id, kind: 'created', ownerId: ctx.user.id })
  return view
}

/** All columns of a new record, its secrets sealed. */
export function newRow<T extends ResourceTable, V extends CommonView, I extends object>(
  secrets: Secrets,
  definition: RecordDefinition<T, V, I>,
  id: string,
  input: I,
  by: { ownerId: string; createdBy: string },
): Record<string, unknown> {
  return {
    ...definition.initial?.(),
    ...definition.columns(input, undefined),
    ...sealFields(secrets, definition.table, definition.secrets, id, input),
    id,
    ...by,
  }
}

/** Changes the fields that are given, if the record is still as the caller saw it. */
export async function changeRecord<T extends ResourceTable, V extends CommonView, I extends object>(
  ctx: CallContext,
  secrets: Secrets,
  definition: RecordDefinition<T, V, I>,
  at: { id: string; version: number },
  input: Partial<I>,
): Promise<V> {
  const row = await findRecord(ctx, sourceOf(definition), at.id, 'UPDATE', { lock: true })
  for (const field of Object.keys(input))
    if (!ctx.can('UPDATE', definition.subject, row, field)) throw new AppError('access.denied')
  const before = await viewOf(ctx, definition, at.id)
  if (before.version !== at.version) throw new AppError('record.stale', {}, { current: before })
  await checkLinks(ctx, definition, input)
  const changes = {
    ...definition.columns(input, row),
    ...sealFields(secrets, definition.table, definition.secrets, at.id, input),
  }
  await named(ctx, definition, { ...row, ...changes }, () =>
    updateRecord(ctx.tx, definition.table, at, changes, () => before),
  )
  const after = await viewOf(ctx, definition, at.id)
  ctx.audit({
    feature: definition.feature,
    recordId: at.id,
    ...difference(before, after, definition.secrets, input),
  })
  ctx.event({ feature: definition.feature, id: at.id, kind: 'updated', ownerId: ownerOf(row) })
  return after
}

/** What follows from other things: from the change itself, from who asks, from runs. */
const NOT_A_CHANGE = new Set(['updatedAt', 'can', 'cannot', 'lease', 'coolingUntil'])

/** The fields that differ between two answers. A secret that was given counts as changed, though its answer is the same as before. */
export function difference(before: object, after: object, secrets: readonly string[], input: object) {
  const fields = Object.keys(after).filter(
    (field) =>
      !NOT_A_CHANGE.has(field) &&
      ((secrets.includes(field) && Reflect.get(input, field) !== undefined) ||
        JSON.stringify(Reflect.get(before, field)) !== JSON.stringify(Reflect.get(after, field))),
  )
  const pick = (of: object) => Object.fromEntries(fields.map((field) => [field, Reflect.get(of, field)]))
  return { before: pick(before), after: pick(after) }
}

/** Puts a record into the trash, unless something holds it. */
export async function removeRecord(
  ctx: CallContext,
  definition: RecordDefinition,
  id: string,
): Promise<void> {
  const row = await findRecord(ctx, sourceOf(definition), id, 'DELETE', { lock: true })
  if (await isHeld(ctx, definition, id)) throw new AppError('record.in_use')
  await trashRecords(ctx.tx, definition.table, eq(definition.table.id, id))
  ctx.audit({
    feature: definition.feature,
    recordId: id,
    before: { deleted: false },
    after: { deleted: true },
  })
  ctx.event({ feature: definition.feature, id, kind: 'deleted', ownerId: ownerOf(row) })
}

async function isHeld(ctx: Reader, definition: RecordDefinition, id: string): Promise<boolean> {
  if ((await definition.keptBack?.(ctx, [id]))?.has(id)) return true
  if (!definition.lease) return false
  const [found] = await ctx.tx
    .select({ held: sql<boolean>`${definition.lease} is not null` })
    .from(definition.table)
    .where(eq(definition.table.id, id))
  return found?.held ?? false
}

/** Takes a record out of the trash, unless another took its place. */
export async function restoreRecord<T extends ResourceTable, V extends CommonView, I extends object>(
  ctx: CallContext,
  definition: RecordDefinition<T, V, I>,
  id: string,
): Promise<V> {
  const action: Action = 'DELETE'
  const row = await findRecord(ctx, sourceOf(definition), id, action, { trashed: true, lock: true })
  const { feature } = definition
  const owner = ownerOf(row)
  if (isQuotaKind(feature) && owner !== null) await requireRoom(ctx.tx, owner, feature)
  await named(ctx, definition, row, () =>
    restoreRecords(ctx.tx, definition.table, eq(definition.table.id, id)),
  )
  ctx.audit({
    feature: definition.feature,
    recordId: id,
    before: { deleted: true },
    after: { deleted: false },
  })
  ctx.event({ feature: definition.feature, id, kind: 'created', ownerId: ownerOf(row) })
  return viewOf(ctx, definition, id)
}

/** Deletes a record that is in the trash for good, unless something uses it still. */
export async function purgeRecord<T extends ResourceTable, V extends CommonView, I extends object>(
  ctx: CallContext,
  definition: RecordDefinition<T, V, I>,
  id: string,
): Promise<void> {
  const row = await findRecord(ctx, sourceOf(definition), id, 'DELETE', { trashed: true, lock: true })
  const before = await viewOf(ctx, definition, id)
  const { table, used, feature } = definition
  const rows: PgTable = table
  const [found] = await ctx.tx
    .select({ used: used ? sql<boolean>`${used}` : sql<boolean>`false` })
    .from(rows)
    .where(eq(table.id, id))
  if (found?.used === true) throw new AppError('record.in_use')
  await definition.purged?.(ctx, row)
  await ctx.tx.delete(table).where(eq(table.id, id))
  ctx.audit({ feature, recordId: id, before })
  ctx.event({ feature, id, kind: 'deleted', ownerId: ownerOf(row) })
}

/** The owner in a row whose particular type is not known. */
export function ownerOf(row: object): string | null {
  return (row as Pick<CommonRow, 'ownerId'>).ownerId
}

/** Whether the database refused a second record with the same identity. */
export function isDuplicate(definition: Pick<RecordDefinition, 'identity'>, error: unknown): boolean {
  const failure = databaseFailure(error)
  return failure?.code === '23505' && failure.constraint === definition.identity?.constraint
}

/** Writes; where the owner has such a record already, that one is named. */
async function named<R, I extends object>(
  { tx }: Pick<CallContext, 'tx'>,
  definition: Pick<RecordDefinition<ResourceTable, CommonView, I>, 'identity' | 'table' | 'name'>,
  row: object,
  write: () => PromiseLike<R>,
): Promise<R> {
  const { identity } = definition
  if (!identity?.constraint) return write()
  try {
    // What failed must not end the transaction: the other record is still to be found.
    return await tx.transaction(async () => write())
  } catch (error) {
    if (!isDuplicate(definition, error)) throw error
    const { field } = identity
    const twin = await twinOf(tx, definition, row)
    const params = { field, ...(twin ? { name: twin.name, id: twin.id } : {}) }
    throw new AppError('record.duplicate', params, {
      cause: error,
      errors: [{ path: field, code: 'record.duplicate', message: 'Taken already', params }],
    })
  }
}

/** The owner's other record with the same identity. */
async function twinOf<I extends object>(
  tx: Tx,
  {
    identity,
    table,
    name,
  }: Pick<RecordDefinition<ResourceTable, CommonView, I>, 'identity' | 'table' | 'name'>,
  row: object,
): Promise<{ id: string; name: string } | undefined> {
  if (!identity) return undefined
  const id: unknown = Reflect.get(row, 'id')
  const [found] = await tx
    .select({ id: sql<string>`${table.id}`, name: sql<string>`${name}::text` })
    .from(table)
    .where(
      sql`${table.ownerId} is not distinct from ${ownerOf(row)} and ${identity.ofRow} = ${identity.ofInput(row as I)}
        and ${table.id} <> ${id} and ${table.deletedAt} is null`,
    )
    .limit(1)
  return found
}
