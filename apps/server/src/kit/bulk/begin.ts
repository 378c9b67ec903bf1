import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { BULK_ACTIONS, type bulkSchema } from '@weft/contract/bulks/schema'
import { selection } from '@weft/contract/core/record'
import type { FieldError } from '@weft/contract/core/errors'
import { IMPORT_KINDS } from '@weft/contract/imports/schema'
import { AppError } from '../app-error.ts'
import type { CallContext, Tx } from '../context.ts'
import { newId } from '../record.ts'
import { checkLinks } from '../resource/change.ts'
import type { RecordDefinition } from '../resource/definition.ts'
import type { Secrets } from '../secrets.ts'
import { applyBulk } from './job.ts'
import type { BulkChange } from './plan.ts'
import { fewIds, listChunks, selected, type Selected } from './select.ts'
import { bulkStep } from './step.ts'
import { bulk, type BulkRecord } from './table.ts'
import { bulkView, firstRefused } from './view.ts'

/** The input of a resource's `bulk` call, as the kit needs it. */
export const bulkInput = z.object({
  selection,
  action: z.enum(BULK_ACTIONS),
  fields: z.record(z.string(), z.unknown()).optional(),
  tags: z.array(z.string()).optional(),
})

/** What is asked for, complete; the action says which of fields and tags it needs. */
export function changeOf({ action, fields, tags }: z.infer<typeof bulkInput>): BulkChange {
  const tagging = action === 'addTags' || action === 'removeTags'
  const given = action === 'update' ? (fields ?? {}) : {}
  const change = {
    action,
    fields: given,
    tags: tagging ? [...new Set(tags)] : [],
    touches: tagging ? ['tags'] : Object.keys(given),
  }
  if (action === 'update' && Object.keys(change.fields).length === 0) throw missing('fields')
  if (tagging && change.tags.length === 0) throw missing('tags')
  return change
}

function missing(path: string): AppError {
  const error: FieldError = { path, code: 'required', message: 'Required' }
  return new AppError('request.invalid', {}, { errors: [error] })
}

/**
 * Does one thing to all selected records: at once where one transaction takes them, otherwise in the background, chunk by
 * chunk, by a job that goes on where it was when it is killed.
 */
export async function changeMany(
  ctx: CallContext,
  secrets: Secrets,
  definition: RecordDefinition,
  listInput: z.ZodType,
  rawInput: object,
): Promise<z.input<typeof bulkSchema>> {
  const input = bulkInput.parse(rawInput)
  const change = changeOf(input)
  await checkLinks(ctx, definition, change.fields)
  const what = selected(ctx, definition, listInput, input.selection, change)
  const id = newId()
  const sealed = secrets.seal(
    JSON.stringify({ selection: input.selection, fields: change.fields }),
    placeOf(id),
  )
  const few = await fewIds(ctx.tx, definition, what)
  const row = await begin(ctx, definition, {
    id,
    action: change.action,
    fields: Object.keys(change.fields),
    tags: [...change.tags],
    input: few === undefined ? sealed : null,
    undoes: null,
  })
  return proceed(ctx, secrets, definition, row, change, few, 'ids' in what ? what : undefined)
}

/** Where the input of a bulk is sealed. */
export function placeOf(id: string) {
  return { table: 'bulk', column: 'input', row: id }
}

/** Writes down that a bulk begins. */
export async function begin(
  ctx: CallContext,
  { feature }: Pick<RecordDefinition, 'feature'>,
  values: Pick<BulkRecord, 'id' | 'action' | 'fields' | 'tags' | 'input' | 'undoes'>,
): Promise<BulkRecord> {
  const kind = IMPORT_KINDS.find((one) => one === feature)
  if (!kind) throw new Error(`there is no bulk of ${feature}`)
  const [row] = await ctx.tx
    .insert(bulk)
    .values({
      ...values,
      userId: ctx.user.id,
      kind,
      // What goes on later must not do more than this call may.
      rules: ctx.tokenName === undefined ? null : [...ctx.user.rules],
    })
    .returning()
  if (!row) throw new Error('a bulk was not written')
  return row
}

/** Does the few at once, or leaves the many to the job. */
export async function proceed(
  ctx: CallContext,
  secrets: Secrets,
  definition: RecordDefinition,
  row: BulkRecord,
  change: BulkChange,
  few: readonly string[] | undefined,
  known: Selected | { done: string } | undefined,
): Promise<z.input<typeof bulkSchema>> {
  const { id } = row
  if (few) {
    const tally = await bulkStep(ctx, secrets, ctx, definition, row, change, few)
    await ctx.tx
      .update(bulk)
      .set({ ...tally, total: few.length, listed: true, state: 'finished', finishedAt: sql`now()` })
      .where(eq(bulk.id, id))
  } else {
    if (known) {
      const total = await listChunks(ctx.tx, id, definition, known)
      await ctx.tx.update(bulk).set({ total, listed: true }).where(eq(bulk.id, id))
    }
    await ctx.enqueue(applyBulk, { bulkId: id })
  }
  const view = await viewOfBulk(ctx.tx, id)
  const { action, fields, tags, total, done, refusedTotal: refused } = view
  ctx.audit({
    feature: definition.feature,
    recordId: null,
    after: { bulk: id, action, fields, tags, ...(few ? { total, done, refused } : {}) },
  })
  ctx.event({ feature: 'bulks', id, kind: 'created', ownerId: ctx.user.id })
  return view
}

/** A bulk as it is now. */
export async function viewOfBulk(tx: Tx, id: string): Promise<z.input<typeof bulkSchema>> {
  const [found] = await tx.select({ row: bulk, refused: firstRefused }).from(bulk).where(eq(bulk.id, id))
  if (!found) throw new AppError('record.not_found')
  return bulkView(found.row, found.refused)
}
