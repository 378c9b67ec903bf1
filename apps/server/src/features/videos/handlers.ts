import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import { videos } from '@weft/contract/videos/api'
import type { VideoEvent } from '@weft/contract/videos/states'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { findRecord, iso } from '../../kit/record.ts'
import type { CommonCall } from '../../kit/resource.ts'
import { scopeColumns, sourceOf } from '../../kit/resource/definition.ts'
import { viewOf } from '../../kit/resource/view.ts'
import { file } from '../files/table.ts'
import { contentOf } from './content.ts'
import { posterOf, setPoster } from './poster.ts'
import { videoResource } from './resource.ts'
import { video } from './table.ts'
import { giveTicket } from './ticket.ts'
import { uploadLimits } from './uploads/begin.ts'
import { openUploads, storageUsed } from './uploads/rows.ts'
import { moveVideo, receivedBytes } from './uploads/settle.ts'

const SAME_BYTES_MAX = 20

/** What videos can beyond the calls of every resource; uploads themselves are made by tus. */
export function videoHandlers(deps: Deps): Omit<Implementation<typeof videos>, CommonCall> {
  return {
    async uploads(ctx, { keys }) {
      const rows = await openUploads(ctx.tx, ctx.user.id, keys)
      const open = await Promise.all(
        rows.map(async ({ upload, title }) => {
          const { id, name, size, key, createdAt, receivedAt } = upload
          const received = receivedAt === null ? Math.min(size, await receivedBytes(deps, upload)) : size
          return { id, name, size, key, received, title, startedAt: iso(createdAt) }
        }),
      )
      return { open, usedBytes: await storageUsed(ctx.tx, ctx.user.id), ...(await uploadLimits(deps)) }
    },

    async play(ctx, { id }) {
      const row = await findRecord(ctx, sourceOf(videoResource), id)
      if (row.fileId === null) throw new AppError('record.wrong_state', { state: row.status })
      return giveTicket(ctx, deps, id)
    },

    content: (ctx, input) => contentOf(ctx, deps, input),

    poster: (ctx, input) => posterOf(ctx, input),

    setPoster: (ctx, { id }) => setPoster(ctx, deps, id),

    archive: (ctx, { id }) => move(ctx, id, 'archive'),

    unarchive: (ctx, { id }) => move(ctx, id, 'unarchive'),

    async duplicates(ctx, { id }) {
      const row = await findRecord(ctx, sourceOf(videoResource), id)
      if (row.fileId === null) return []
      return ctx.tx
        .select({ id: video.id, title: video.title })
        .from(video)
        .innerJoin(file, eq(file.id, video.fileId))
        .where(
          and(
            sql`${file.sha256} = (select own.sha256 from file own where own.id = ${row.fileId})`,
            ne(video.id, id),
            isNull(video.deletedAt),
            // Nobody learns from it that somebody else has the same.
            ctx.scope('VIEW', 'VIDEO', scopeColumns(video)),
          ),
        )
        .orderBy(asc(video.createdAt))
        .limit(SAME_BYTES_MAX)
    },
  }
}

async function move(ctx: CallContext, id: string, event: VideoEvent) {
  const row = await findRecord(ctx, sourceOf(videoResource), id, 'UPDATE', { lock: true })
  const moved = await moveVideo(ctx, id, event)
  if (!moved) throw new AppError('record.wrong_state', { state: row.status })
  ctx.audit({
    feature: 'videos',
    recordId: id,
    before: { status: row.status },
    after: { status: moved.status },
  })
  return viewOf(ctx, videoResource, id)
}
