import type { AttendInput } from '@weft/contract/attended-runs/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { findFiles } from '../files/find.ts'
import type { Attended } from './view.ts'

/**
 * Refuses files that whoever has the browser in hand may not give to a page: others than their own, and than those of the
 * run's owner that they may see. Its agent is given the same ones, and no others.
 */
export async function checkFiles(
  ctx: CallContext,
  run: Attended,
  events: readonly AttendInput[],
): Promise<void> {
  const wanted = new Set(events.flatMap((event) => (event.type === 'files' ? event.fileIds : [])))
  if (wanted.size === 0) return
  const found = await findFiles(ctx, [...wanted])
  const given = found.filter(({ ownerId }) => ownerId === run.holder_id || ownerId === run.owner_id)
  if (given.length < wanted.size) throw new AppError('link.not_found', { field: 'fileIds' })
}
