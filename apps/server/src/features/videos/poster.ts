import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { POSTER_MAX_SIDE, POSTER_TYPES } from '@weft/contract/videos/api'
import { stream, type StreamAnswer } from '../../kit/answers.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import { findRecord } from '../../kit/record.ts'
import { sourceOf } from '../../kit/resource/definition.ts'
import { contentTypeOf } from '../files/content-type.ts'
import { imageSize } from './image-size.ts'
import { videoResource } from './resource.ts'
import { video, videoPoster } from './table.ts'

/** As many characters of the hash as tell a video's pictures apart. */
const VERSION_LENGTH = 16

/** Sets the picture that stands for a video. What it is, is told by its bytes: a picture, and a small one. */
export async function setPoster(
  ctx: CallContext,
  { now }: Pick<Deps, 'now'>,
  id: string,
): Promise<{ poster: string }> {
  const row = await findRecord(ctx, sourceOf(videoResource), id, 'UPDATE', { lock: true })
  const bytes = Buffer.from(await ctx.body.bytes())
  const contentType = contentTypeOf(bytes)
  const size = POSTER_TYPES.some((type) => type === contentType) ? imageSize(bytes) : undefined
  if (!size) throw new AppError('request.unsupported_type', { expected: POSTER_TYPES.join(', ') })
  if (Math.max(size.width, size.height) > POSTER_MAX_SIDE)
    throw new AppError(
      'request.invalid',
      {},
      {
        errors: [
          { path: '', code: 'too_big', message: 'Too large a picture', params: { maximum: POSTER_MAX_SIDE } },
        ],
      },
    )
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, VERSION_LENGTH)
  const picture = { contentType, bytes, hash, updatedAt: now() }
  await ctx.tx
    .insert(videoPoster)
    .values({ videoId: id, ...picture })
    .onConflictDoUpdate({ target: videoPoster.videoId, set: picture })
  await ctx.tx
    .update(video)
    .set({ poster: hash, updatedAt: sql`now()` })
    .where(eq(video.id, id))
  ctx.audit({ feature: 'videos', recordId: id, before: { poster: row.poster }, after: { poster: hash } })
  ctx.event({ feature: 'videos', id, kind: 'updated', ownerId: row.ownerId })
  return { poster: hash }
}

/** The picture that stands for a video, for whoever may see it. */
export async function posterOf(
  ctx: CallContext,
  { id, v }: { id: string; v?: string | undefined },
): Promise<StreamAnswer> {
  await findRecord(ctx, sourceOf(videoResource), id)
  const [row] = await ctx.tx.select().from(videoPoster).where(eq(videoPoster.videoId, id))
  if (!row) throw new AppError('record.not_found')
  return stream({
    contentType: row.contentType,
    length: row.bytes.length,
    headers: {
      etag: `"${row.hash}"`,
      'cache-control': v === row.hash ? 'private, max-age=31536000, immutable' : 'private, no-cache',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
    },
    body: once(row.bytes),
  })
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
