import { and, asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../app-error.ts'
import type { CallContext } from '../context.ts'
import { fieldErrors } from '../parse.ts'
import { findRecord } from '../record.ts'
import type { Secrets } from '../secrets.ts'
import { audit } from '../tables.ts'
import { changeRecord } from './change.ts'
import { sourceOf, type CommonView, type RecordDefinition, type ResourceTable } from './definition.ts'
import { viewOf } from './view.ts'

/** Changes after the wanted version beyond so many are too far back to be taken together. */
const MAX_CHANGES = 1000

const changed = z.record(z.string(), z.unknown()).catch({})

/**
 * Gives a record the values back that it had after a line of its history, by an ordinary update with all its checks.
 * Secrets stay as they are, and so does what no update may set.
 */
export async function revertRecord<T extends ResourceTable, V extends CommonView, I extends object>(
  ctx: CallContext,
  secrets: Secrets,
  definition: RecordDefinition<T, V, I>,
  update: z.ZodObject,
  at: { id: string; version: number; entry: string },
): Promise<V> {
  await findRecord(ctx, sourceOf(definition), at.id, 'UPDATE', { lock: true })
  const ofRecord = and(eq(audit.feature, definition.feature), eq(audit.recordId, at.id))
  const [wanted] = await ctx.tx
    .select({ at: audit.at, id: audit.id })
    .from(audit)
    .where(and(ofRecord, eq(audit.id, at.entry)))
  if (!wanted) throw new AppError('record.not_found')
  const later = await ctx.tx
    .select({ before: audit.before })
    .from(audit)
    .where(
      and(
        ofRecord,
        sql`(${audit.at}, ${audit.id}) > (${wanted.at.toISOString()}::timestamptz, ${wanted.id}::uuid)`,
      ),
    )
    .orderBy(asc(audit.at), asc(audit.id))
    .limit(MAX_CHANGES)
  const values = valuesBefore(
    later.map(({ before }) => changed.parse(before)),
    Object.keys(update.shape).filter(
      (field) => field !== 'id' && field !== 'version' && !definition.secrets.includes(field),
    ),
  )
  if (Object.keys(values).length === 0) {
    const now = await viewOf(ctx, definition, at.id)
    if (now.version !== at.version) throw new AppError('record.stale', {}, { current: now })
    return now
  }
  // A rule may have become stricter since: then the fields are named, and nothing changes.
  const parsed = update.safeParse({ ...values, id: at.id, version: at.version })
  if (!parsed.success)
    throw new AppError('request.invalid', {}, { errors: fieldErrors(parsed.error, values) })
  const { id: _id, version: _version, ...changes } = parsed.data
  return changeRecord(ctx, secrets, definition, { id: at.id, version: at.version }, changes as Partial<I>)
}

/** What each of these fields held before the first of some changes, oldest first, that touched it. */
export function valuesBefore(
  changes: readonly Readonly<Record<string, unknown>>[],
  fields: readonly string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const change of changes)
    for (const field of fields) if (field in change && !(field in values)) values[field] = change[field]
  return values
}
