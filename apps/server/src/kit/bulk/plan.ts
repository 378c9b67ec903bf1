import { getTableColumns } from 'drizzle-orm'
import type { Action } from '@weft/contract/core/permissions'
import { MAX_TAGS } from '@weft/contract/core/record'
import type { Decisions } from '../context.ts'
import { difference } from '../resource/change.ts'
import type { CommonRow, RecordDefinition } from '../resource/definition.ts'
import { sealFields } from '../resource/secrets.ts'
import type { Secrets } from '../secrets.ts'
import type { BulkRecord } from './table.ts'

/** A record that a bulk is for, held until the end of the transaction. */
export interface Candidate {
  row: CommonRow & Record<string, unknown>
  extras: Readonly<Record<string, unknown>>
  name: string
  allowed: boolean
  /** Something holds or uses it, so that it cannot go to the trash. */
  held: boolean
}

/** How a record was before the bulk that is taken back, and the version that bulk left it at. */
export interface Earlier {
  version: number
  before: Readonly<Record<string, unknown>>
  /** It had a link to a record that whoever takes it back may not see. */
  hidden: boolean
}

/** What becomes of one record: the columns to write, why not, or nothing, because it is so already. */
export type Plan =
  | { code: string }
  | { columns: Record<string, unknown>; history: { before: object; after: object } }
  | { unchanged: true }

/** What is asked for, as the plan of each record needs it. */
export interface BulkChange {
  action: BulkRecord['action']
  fields: Readonly<Record<string, unknown>>
  tags: readonly string[]
  /** The fields that it touches, each of which one must be allowed to change. */
  touches: readonly string[]
}

/** What taking back a bulk changes: what that one did. */
export function changeOfUndo({ fields, tags }: Pick<BulkRecord, 'fields' | 'tags'>): BulkChange {
  return { action: 'undo', fields: {}, tags: [], touches: [...fields, ...(tags.length > 0 ? ['tags'] : [])] }
}

/** The right that a bulk needs for each of its records. */
export function rightFor(action: BulkRecord['action']): Action {
  return action === 'delete' || action === 'restore' || action === 'purge' ? 'DELETE' : 'UPDATE'
}

/** Whether a bulk is for what is in the trash. */
export function isForTrash(action: BulkRecord['action']): boolean {
  return action === 'restore' || action === 'purge'
}

/** Decides about one record; writes nothing. */
export function planOf(
  ctx: Pick<Decisions, 'can'>,
  secrets: Secrets,
  definition: RecordDefinition,
  change: BulkChange,
  one: Candidate,
  earlier: Earlier | undefined,
): Plan {
  if (change.action === 'undo') return planUndo(ctx, definition, change, one, earlier)
  if (!one.allowed || !mayTouch(ctx, definition, change, one)) return { code: 'access.denied' }
  switch (change.action) {
    case 'delete':
      return planRemoval(one)
    case 'restore':
      return { columns: { deletedAt: null }, history: lifeHistory(false) }
    case 'addTags':
    case 'removeTags': {
      const tags = tagsAfter(one.row.tags, change.action, change.tags)
      if (tags.length > MAX_TAGS && change.action === 'addTags') return { code: 'record.too_many_tags' }
      return planColumns(definition, one, { tags }, { tags })
    }
    default: {
      const columns = {
        ...definition.columns(change.fields, one.row),
        ...sealFields(secrets, definition.table, definition.secrets, one.row.id, change.fields),
      }
      return planColumns(definition, one, columns, change.fields)
    }
  }
}

const lifeHistory = (deleted: boolean) => ({ before: { deleted: !deleted }, after: { deleted } })

function mayTouch(
  { can }: Pick<Decisions, 'can'>,
  { subject }: RecordDefinition,
  { touches }: BulkChange,
  { row }: Candidate,
): boolean {
  return touches.every((field) => can('UPDATE', subject, row, field))
}

function planRemoval(one: Candidate): Plan {
  if (one.held) return { code: 'record.in_use' }
  return { columns: { deletedAt: new Date() }, history: lifeHistory(true) }
}

function planColumns(
  definition: RecordDefinition,
  one: Candidate,
  columns: Record<string, unknown>,
  given: object,
): Plan {
  // What a person may do now does not belong to the history.
  const nobody = { can: () => false }
  const before = definition.present(one.row, one.extras, nobody)
  const after = definition.present({ ...one.row, ...columns }, one.extras, nobody)
  const history = difference(before, after, definition.secrets, given)
  if (Object.keys(history.after).length === 0) return { unchanged: true }
  return {
    columns,
    history: {
      before: { ...history.before, version: one.row.version },
      after: { ...history.after, version: one.row.version + 1 },
    },
  }
}

/** The tags of a record after the change, in their order. */
function tagsAfter(
  now: readonly string[],
  action: 'addTags' | 'removeTags',
  tags: readonly string[],
): string[] {
  const kept = action === 'addTags' ? now : now.filter((tag) => !tags.includes(tag))
  return action === 'addTags' ? [...new Set([...kept, ...tags])] : [...kept]
}

/** Back to how it was; not over what somebody changed since. */
function planUndo(
  ctx: Pick<Decisions, 'can'>,
  definition: RecordDefinition,
  change: BulkChange,
  one: Candidate,
  earlier: Earlier | undefined,
): Plan {
  if (!earlier) return { code: 'record.not_found' }
  if (one.row.version !== earlier.version) return { code: 'record.stale' }
  const { subject } = definition
  const columns = revived(definition, earlier.before)
  if ('deletedAt' in columns) {
    if (!ctx.can('DELETE', subject, one.row)) return { code: 'access.denied' }
    if (columns['deletedAt'] === null) return { columns: { deletedAt: null }, history: lifeHistory(false) }
    return planRemoval(one)
  }
  if (one.row.deletedAt !== null) return { code: 'record.not_found' }
  if (!one.allowed || !mayTouch(ctx, definition, change, one)) return { code: 'access.denied' }
  if (earlier.hidden) return { code: 'link.not_found' }
  const secrets = Object.fromEntries(
    definition.secrets.filter((field) => field in columns).map((field) => [field, null]),
  )
  return planColumns(definition, one, columns, secrets)
}

/** Stored columns as a row has them: times are times again. */
export function revived(
  { table }: Pick<RecordDefinition, 'table'>,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const known = getTableColumns(table)
  return Object.fromEntries(
    Object.entries(before).map(([field, value]) => [
      field,
      known[field]?.dataType === 'date' && typeof value === 'string' ? new Date(value) : value,
    ]),
  )
}
