import { and, asc, gt, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { BulkResult } from '@weft/contract/core/resource'
import type { Action } from '@weft/contract/core/permissions'
import type { Selection } from '@weft/contract/core/record'
import { AppError } from '../app-error.ts'
import type { CallContext, Tx } from '../context.ts'
import { searchFor } from '../list.ts'
import { isQuotaKind, requireRoom } from '../quota.ts'
import { fieldErrors } from '../parse.ts'
import { restoreRecords, trashRecords } from '../record.ts'
import { isDuplicate } from './change.ts'
import { scopeColumns, type RecordDefinition } from './definition.ts'
import { auditMany } from './many.ts'
import { listSource } from './view.ts'
import { manyOf } from './visible.ts'

/** One thing done to many records. */
export interface BulkChange {
  action: 'delete' | 'restore' | 'addTags' | 'removeTags'
  tags: readonly string[]
}

const CHUNK = 1000
const MAX_REFUSED = 1000
const MAX_TAGS = 30
/** Beyond so many records, one event for each owner says that there were many. */
const MAX_EVENTS = 100

const candidateRow = z.object({
  id: z.string(),
  name: z.string(),
  ownerId: z.string().nullable(),
  allowed: z.boolean(),
  held: z.boolean(),
  tagCount: z.coerce.number(),
})
type Candidate = z.infer<typeof candidateRow>

/** Does one thing to all selected records, some thousand at a time in one transaction; tells which were refused, and why. */
export async function changeMany(
  ctx: CallContext,
  definition: RecordDefinition,
  listInput: z.ZodType,
  selection: Selection,
  change: BulkChange,
): Promise<BulkResult> {
  const result: BulkResult = { done: 0, refused: [] }
  const owners = new Map<string | null, number>()
  for await (const chunk of chunksOf(ctx, definition, listInput, selection, change)) {
    for (const missing of chunk.missing) refuse(result, { id: missing, name: '' }, 'record.not_found')
    const good: Candidate[] = []
    for (const one of chunk.found) {
      const code = obstacle(one, change)
      if (code) refuse(result, one, code)
      else good.push(one)
    }
    const done = new Set(await apply(ctx, definition, good, change, result))
    result.done += done.size
    for (const one of good) if (done.has(one.id)) owners.set(one.ownerId, (owners.get(one.ownerId) ?? 0) + 1)
    await auditAll(ctx, definition, [...done], change)
    if (result.done <= MAX_EVENTS)
      for (const one of good) if (done.has(one.id)) tell(ctx, definition, one.id, one.ownerId, change)
  }
  if (result.done > MAX_EVENTS)
    for (const [owner] of owners) tell(ctx, definition, manyOf(owner), owner, change)
  ctx.audit({
    feature: definition.feature,
    recordId: null,
    after: { action: change.action, tags: change.tags, done: result.done, refused: result.refused.length },
  })
  return result
}

function refuse(result: BulkResult, one: { id: string; name: string }, code: string): void {
  if (result.refused.length < MAX_REFUSED) result.refused.push({ id: one.id, name: one.name, code })
}

function obstacle(one: Candidate, change: BulkChange): string | undefined {
  if (!one.allowed) return 'access.denied'
  if (change.action === 'delete' && one.held) return 'record.in_use'
  if (change.action === 'addTags' && one.tagCount > MAX_TAGS) return 'record.too_many_tags'
  return undefined
}

interface Chunk {
  found: Candidate[]
  missing: string[]
}

async function* chunksOf(
  ctx: CallContext,
  definition: RecordDefinition,
  listInput: z.ZodType,
  selection: Selection,
  change: BulkChange,
): AsyncGenerator<Chunk> {
  const trashed = change.action === 'restore'
  if ('ids' in selection) {
    const ids = [...new Set(selection.ids)]
    const everything = listSource(ctx, { ...definition, filter: () => [] }, { trashed })
    for (let at = 0; at < ids.length; at += CHUNK) {
      const some = ids.slice(at, at + CHUNK)
      const where = and(...everything.where, inArray(definition.table.id, some))
      const found = await candidates(ctx, definition, change, where)
      const there = new Set(found.map((one) => one.id))
      yield { found, missing: some.filter((id) => !there.has(id)) }
    }
    return
  }
  const input = listInputOf(listInput, selection.query)
  const source = listSource(ctx, definition, { ...input, trashed })
  const matching = and(...source.where, searchFor(input.q, [definition.search]))
  for (let after: string | undefined; ;) {
    const next = after === undefined ? undefined : gt(definition.table.id, after)
    const found = await candidates(ctx, definition, change, and(matching, next))
    if (found.length === 0) return
    yield { found, missing: [] }
    after = found.at(-1)?.id
  }
}

const listInputShape = z.looseObject({ q: z.string().optional() })

function listInputOf(schema: z.ZodType, query: Record<string, unknown>) {
  const parsed = schema.safeParse(query)
  if (parsed.success) return listInputShape.parse(parsed.data)
  const errors = fieldErrors(parsed.error, query)
  throw new AppError(
    'request.invalid',
    {},
    {
      errors: errors.map((error) => ({ ...error, path: `selection.query.${error.path}` })),
    },
  )
}

/** The next records of the selection, held until the end of the transaction. */
async function candidates(
  ctx: CallContext,
  definition: RecordDefinition,
  change: BulkChange,
  where: SQL | undefined,
): Promise<Candidate[]> {
  const { table, subject, lease } = definition
  const action: Action = change.action === 'delete' || change.action === 'restore' ? 'DELETE' : 'UPDATE'
  const rows = await ctx.tx
    .select({
      id: table.id,
      name: definition.name,
      ownerId: table.ownerId,
      allowed: sql<boolean>`${ctx.scope(action, subject, scopeColumns(table))}`,
      held: lease ? sql<boolean>`${lease} is not null` : sql<boolean>`false`,
      tagCount: sql<number>`cardinality(${tagsAfter(table.tags, change)})`,
    })
    .from(table)
    .where(where)
    .orderBy(asc(table.id))
    .limit(CHUNK)
    .for('update', { of: table })
  return rows.map((row) => candidateRow.parse(row))
}

/** The tags of a record after the change, in their order. */
function tagsAfter(tags: RecordDefinition['table']['tags'], change: BulkChange): SQL {
  const given = sql`${sql.param([...new Set(change.tags)])}::text[]`
  if (change.action === 'addTags')
    return sql`(${tags} || array(select t from unnest(${given}) as t where t <> all (${tags})))`
  if (change.action === 'removeTags')
    return sql`array(select t from unnest(${tags}) with ordinality as o(t, n) where t <> all (${given}) order by n)`
  return sql`${tags}`
}

/** Changes these records; gives the ids of those that were changed. */
async function apply(
  ctx: CallContext,
  definition: RecordDefinition,
  good: readonly Candidate[],
  change: BulkChange,
  result: BulkResult,
): Promise<string[]> {
  if (good.length === 0) return []
  const { table } = definition
  const where = inArray(
    table.id,
    good.map((one) => one.id),
  )
  if (change.action === 'delete') return trashRecords(ctx.tx, table, where)
  if (change.action === 'restore') await requireRoomForAll(ctx.tx, definition.feature, good)
  if (change.action === 'restore') return restoreAll(ctx.tx, definition, good, result)
  const rows = await ctx.tx
    .update(table)
    .set({
      tags: tagsAfter(table.tags, change),
      version: sql`${table.version} + 1`,
      updatedAt: sql`now()`,
    })
    .where(where)
    .returning({ id: table.id })
  return rows.map((row) => String(row.id))
}

/** What comes out of the trash counts again. */
async function requireRoomForAll(tx: Tx, feature: string, good: readonly Candidate[]): Promise<void> {
  if (!isQuotaKind(feature)) return
  for (const [ownerId, records] of Map.groupBy(good, (one) => one.ownerId))
    if (ownerId !== null) await requireRoom(tx, ownerId, feature, records.length)
}

/** All at once; where one of them has a living twin, in halves, so that only that one is refused. */
async function restoreAll(
  tx: Tx,
  definition: RecordDefinition,
  good: readonly Candidate[],
  result: BulkResult,
): Promise<string[]> {
  const ids = good.map((one) => one.id)
  try {
    return await tx.transaction((at) =>
      restoreRecords(at, definition.table, inArray(definition.table.id, ids)),
    )
  } catch (error) {
    if (!isDuplicate(definition, error)) throw error
    const [only] = good
    if (good.length === 1 && only) {
      refuse(result, only, 'record.duplicate')
      return []
    }
    const half = Math.ceil(good.length / 2)
    const first = await restoreAll(tx, definition, good.slice(0, half), result)
    return [...first, ...(await restoreAll(tx, definition, good.slice(half), result))]
  }
}

async function auditAll(
  ctx: CallContext,
  { feature, subject }: RecordDefinition,
  ids: readonly string[],
  change: BulkChange,
): Promise<void> {
  const did = change.action === 'delete' || change.action === 'restore' ? change.action : 'bulk'
  const after = { action: change.action, ...(change.tags.length > 0 ? { tags: change.tags } : {}) }
  await auditMany(
    ctx.tx,
    { id: ctx.user.id, name: ctx.user.username, address: ctx.address, requestId: ctx.requestId },
    { feature, label: `${subject.toLowerCase()}.${did}` },
    ids.map((id) => ({ id, after })),
  )
}

function tell(
  ctx: CallContext,
  { feature }: RecordDefinition,
  id: string,
  ownerId: string | null,
  change: BulkChange,
): void {
  const kind = change.action === 'delete' ? 'deleted' : change.action === 'restore' ? 'created' : 'updated'
  ctx.event({ feature, id, kind, ownerId })
}
