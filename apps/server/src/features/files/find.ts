import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { runScope } from '../runs/scope.ts'
import { run } from '../runs/table.ts'
import { video } from '../videos/table.ts'
import { file, type FileRow } from './table.ts'

/**
 * A file that the caller may read: their own, that of a run whose campaign they may see, or that of a video they may
 * see. The files of a profile are for agents alone: they hold sessions.
 */
export async function findFile(
  ctx: Pick<CallContext, 'tx' | 'scope' | 'user'>,
  id: string,
): Promise<FileRow> {
  const [row] = await findFiles(ctx, [id])
  if (!row) throw new AppError('record.not_found')
  return row
}

/** Those of some files that the caller may read, in one query. */
export async function findFiles(
  ctx: Pick<CallContext, 'tx' | 'scope' | 'user'>,
  ids: readonly string[],
): Promise<FileRow[]> {
  const ofRun = ctx.scope('VIEW', 'CAMPAIGN', runScope)
  const ofVideo = ctx.scope('VIEW', 'VIDEO', scopeColumns(video))
  return ctx.tx
    .select()
    .from(file)
    .where(
      and(
        inArray(file.id, [...ids]),
        ne(file.purpose, 'snapshot'),
        or(
          eq(file.ownerId, ctx.user.id),
          sql`exists (select 1 from ${run} where ${run.id} = ${file.runId} and ${ofRun})`,
          sql`exists (select 1 from ${video} where ${video.fileId} = ${file.id} and ${video.deletedAt} is null and ${ofVideo})`,
        ),
      ),
    )
}
