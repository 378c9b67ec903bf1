import { asc, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Work } from '../context.ts'
import { isQuotaKind, roomFor } from '../quota.ts'
import { anyOf, isThrownAway } from '../recordset.ts'
import { isDuplicate } from '../resource/change.ts'
import { scopeColumns, type Reader, type RecordDefinition } from '../resource/definition.ts'
import { auditMany, updateMany } from '../resource/many.ts'
import { manyOf } from '../resource/visible.ts'
import type { Secrets } from '../secrets.ts'
import { databaseFailure } from '../../db/errors.ts'
import { changeAtOnce, type AtOnce } from './at-once.ts'
import { MAX_EVENTS, noteRows, type Doer, type Refusal, type StepTally } from './notes.ts'
import { planOf, rightFor, type BulkChange, type Candidate, type Earlier } from './plan.ts'
import { purgeMany } from './purge.ts'
import type { BulkRecord } from './table.ts'

type Bulk = Pick<BulkRecord, 'id' | 'action' | 'undoes' | 'rules'>

interface Change {
  id: string
  ownerId: string | null
  name: string
  version: number
  wasTrashed: boolean
  before: Record<string, unknown>
  columns: Record<string, unknown>
  history: { before: object; after: object }
}
/** Does what a bulk asks for with these records, in one transaction: changes, history, what was refused, events. */
export async function bulkStep(
  work: Work,
  secrets: Secrets,
  doer: Doer,
  definition: RecordDefinition,
  bulk: Bulk,
  change: BulkChange,
  ids: readonly string[],
): Promise<StepTally> {
  if (change.action === 'purge') return purgeMany(work, doer, definition, bulk, ids)
  const atOnce = await atOnceOf(work, secrets, doer, definition, bulk, change, ids)
  const left = atOnce?.left ?? ids
  const tally =
    left.length > 0 ? await oneByOne(work, secrets, doer, definition, bulk, change, left) : NOTHING
  const { changed, unchanged } = atOnce ?? { changed: 0, unchanged: 0 }
  return {
    processed: ids.length,
    done: tally.done + changed + unchanged,
    unchanged: tally.unchanged + unchanged,
    refused: tally.refused,
  }
}

const NOTHING: StepTally = { processed: 0, done: 0, unchanged: 0, refused: 0 }

/** What the database can do by itself; nothing where it refuses one of them, which has to be found first. */
async function atOnceOf(
  work: Work,
  secrets: Secrets,
  doer: Doer,
  definition: RecordDefinition,
  bulk: Bulk,
  change: BulkChange,
  ids: readonly string[],
): Promise<AtOnce | undefined> {
  const what = { ids, label: labelOf(definition, change.action), few: MAX_EVENTS }
  try {
    const found = await work.tx.transaction((at) =>
      changeAtOnce({ ...work, tx: at }, secrets, doer, definition, bulk, change, what),
    )
    if (found) tellOf(work, definition, found)
    return found
  } catch (error) {
    if (refusalOf(definition, error) === undefined) throw error
    return undefined
  }
}

function tellOf(
  work: Work,
  { feature }: RecordDefinition,
  { few, owners, kind }: Pick<AtOnce, 'few' | 'owners' | 'kind'>,
): void {
  if (few.length > 0) for (const { id, ownerId } of few) work.event({ feature, id, kind, ownerId })
  else for (const ownerId of owners) work.event({ feature, id: manyOf(ownerId), kind, ownerId })
}

/** Looks at each record: what it would become, and why not. */
async function oneByOne(
  work: Work,
  secrets: Secrets,
  doer: Doer,
  definition: RecordDefinition,
  bulk: Bulk,
  change: BulkChange,
  ids: readonly string[],
): Promise<StepTally> {
  const ctx = { ...doer, tx: work.tx }
  const earlier = await earlierOf(ctx, definition, bulk, ids)
  const found = await load(ctx, definition, change, ids)
  const refused: Refusal[] = []
  const wanted: Change[] = []
  let unchanged = 0
  const there = new Set(found.map(({ row }) => row.id))
  for (const id of ids) if (!there.has(id)) refused.push({ id, name: '', code: 'record.not_found' })
  for (const one of found) {
    const { row, name } = one
    const plan = planOf(ctx, secrets, definition, change, one, earlier.get(row.id))
    if ('code' in plan) refused.push({ id: row.id, name, code: plan.code })
    else if ('unchanged' in plan) unchanged += 1
    else wanted.push(changeOf(one, plan))
  }
  const allowed = await withinQuota(work, definition, wanted, refused)
  const done = await write(work, definition, allowed, refused)
  await noteRows(work, bulk.id, done, refused)
  await auditMany(
    work.tx,
    { id: doer.user.id, name: doer.user.username, address: doer.address, requestId: doer.requestId },
    { feature: definition.feature, label: labelOf(definition, change.action) },
    done.map(({ id, history }) => ({ id, ...history })),
  )
  tell(work, definition, done)
  return {
    processed: ids.length,
    done: done.length + unchanged,
    unchanged,
    refused: ids.length - done.length - unchanged,
  }
}

function labelOf({ subject }: RecordDefinition, action: BulkChange['action']): string {
  return `${subject.toLowerCase()}.${action === 'delete' || action === 'restore' || action === 'undo' ? action : 'bulk'}`
}

function changeOf(
  one: Candidate,
  plan: { columns: Record<string, unknown>; history: Change['history'] },
): Change {
  const columns = Object.fromEntries(Object.entries(plan.columns).filter(([, value]) => value !== undefined))
  return {
    id: one.row.id,
    ownerId: one.row.ownerId,
    name: one.name,
    version: one.row.version,
    wasTrashed: one.row.deletedAt !== null,
    before: Object.fromEntries(Object.keys(columns).map((field) => [field, one.row[field] ?? null])),
    columns,
    history: plan.history,
  }
}

const earlierRow = z.object({
  id: z.string(),
  version: z.number(),
  before: z.record(z.string(), z.unknown()),
})

/** What the bulk that is taken back did with these records. */
async function earlierOf(
  ctx: Reader,
  { links }: RecordDefinition,
  { undoes }: Pick<BulkRecord, 'undoes'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Earlier>> {
  if (undoes === null) return new Map()
  const found = await ctx.tx.execute(sql`
    select record_id as id, version, before from bulk_row
    where bulk_id = ${undoes} and record_id = ${anyOf(ids)} and version is not null`)
  const rows = found.rows.map((row) => ({ ...earlierRow.parse(row), hidden: false }))
  for (const { field, visible } of links) {
    const linked = rows.filter(({ before }) => typeof before[field] === 'string')
    if (linked.length === 0) continue
    const seen = await visible(ctx, [...new Set(linked.map(({ before }) => String(before[field])))])
    for (const row of linked) if (!seen.has(String(row.before[field]))) row.hidden = true
  }
  return new Map(rows.map((row) => [row.id, row]))
}

/** The records, in the order of their ids so that two bulks wait for each other and never in a circle. */
async function load(
  ctx: Reader,
  definition: RecordDefinition,
  change: BulkChange,
  ids: readonly string[],
): Promise<Candidate[]> {
  const { table, subject, lease } = definition
  const columns = scopeColumns(table)
  const rows = await ctx.tx
    .select({
      row: table,
      name: definition.name,
      extras: sql<Record<string, unknown>>`${extrasOf(definition)}`,
      allowed: sql<boolean>`${ctx.scope(rightFor(change.action), subject, columns)}`,
      held: lease ? sql<boolean>`${lease} is not null` : sql<boolean>`false`,
    })
    .from(table)
    .where(
      sql`${table.id} = ${anyOf(ids)} and ${ctx.scope('VIEW', subject, columns)} and ${lifeOf(definition, change)}`,
    )
    .orderBy(asc(table.id))
    .for('update', { of: table })
  const removes = change.action === 'delete' || change.action === 'undo'
  const kept = removes
    ? await definition.keptBack?.(
        ctx,
        rows.map(({ row }) => String(row['id'])),
      )
    : undefined
  return rows.map(({ row, name, extras, allowed, held }) => ({
    row: row as Candidate['row'],
    name: typeof name === 'string' ? name : '',
    extras,
    allowed,
    held: held || kept?.has(String(row['id'])) === true,
  }))
}

/** A restore is for what is in the trash, an undo for either, all else for what is not. */
function lifeOf({ table }: RecordDefinition, { action }: BulkChange) {
  if (action === 'undo') return sql`true`
  return action === 'restore' ? isThrownAway(table) : sql`${table.deletedAt} is null`
}

/** The further values of a row as one JSON object; histories need them where an answer depends on them. */
export function extrasOf({ extras }: RecordDefinition) {
  const parts = Object.entries(extras).map(([name, value]) => sql`${name}::text, ${value}`)
  return parts.length === 0 ? sql`'{}'::jsonb` : sql`jsonb_build_object(${sql.join(parts, sql`, `)})`
}

/** What comes out of the trash counts again; what is beyond somebody's limit stays there. */
async function withinQuota(
  { tx }: Work,
  { feature }: RecordDefinition,
  wanted: readonly Change[],
  refused: Refusal[],
): Promise<Change[]> {
  if (!isQuotaKind(feature)) return [...wanted]
  const back = (one: Change) => one.wasTrashed && one.columns['deletedAt'] === null && one.ownerId !== null
  const beyond = new Set<Change>()
  for (const [ownerId, records] of Map.groupBy(wanted.filter(back), (one) => one.ownerId)) {
    const room = ownerId === null ? undefined : await roomFor(tx, ownerId, feature, records.length)
    for (const one of records.slice(room?.left ?? records.length)) beyond.add(one)
  }
  for (const { id, name } of beyond) refused.push({ id, name, code: 'quota.exceeded' })
  return wanted.filter((one) => !beyond.has(one))
}

/** All at once; where the database refuses one of them, in halves, so that only that one stays as it is. */
export async function write<C extends Pick<Change, 'id' | 'name' | 'columns'>>(
  work: Pick<Work, 'tx'>,
  definition: RecordDefinition,
  changes: readonly C[],
  refused: Refusal[],
): Promise<C[]> {
  const [only] = changes
  if (!only) return []
  try {
    await work.tx.transaction((at) => updateMany(at, definition.table, changes))
    return [...changes]
  } catch (error) {
    const code = refusalOf(definition, error)
    if (code === undefined) throw error
    if (changes.length === 1) {
      refused.push({ id: only.id, name: only.name, code })
      return []
    }
    const half = Math.ceil(changes.length / 2)
    const first = await write(work, definition, changes.slice(0, half), refused)
    return [...first, ...(await write(work, definition, changes.slice(half), refused))]
  }
}

function refusalOf(definition: RecordDefinition, error: unknown): string | undefined {
  if (isDuplicate(definition, error)) return 'record.duplicate'
  return databaseFailure(error)?.code === '23503' ? 'link.not_found' : undefined
}

function tell(work: Work, { feature }: RecordDefinition, done: readonly Change[]): void {
  const kindOf = ({ columns }: Change) =>
    !('deletedAt' in columns) ? 'updated' : columns['deletedAt'] === null ? 'created' : 'deleted'
  if (done.length <= MAX_EVENTS) {
    for (const one of done) work.event({ feature, id: one.id, kind: kindOf(one), ownerId: one.ownerId })
    return
  }
  for (const [ownerId, [first]] of Map.groupBy(done, (one) => one.ownerId))
    if (first) work.event({ feature, id: manyOf(ownerId), kind: kindOf(first), ownerId })
}
