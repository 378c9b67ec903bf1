import { and, eq, isNull } from 'drizzle-orm'
import { stream, type StreamAnswer } from '../../kit/answers.ts'
import { decisionsOf } from '../../kit/admit.ts'
import { AppError } from '../../kit/app-error.ts'
import type { PublicContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import { fileStoreOf } from '../../kit/file-store.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { rangeOf } from '../files/range.ts'
import { file } from '../files/table.ts'
import { video } from './table.ts'
import { holderOf } from './ticket.ts'
import { TYPE_OF } from './uploads/process.ts'

/** The bytes of a video, whole or in parts, for whoever may see it now. */
export async function contentOf(
  ctx: PublicContext,
  deps: Deps,
  { id, download }: { id: string; download?: boolean | undefined },
): Promise<StreamAnswer> {
  const user = ctx.visitor ?? (await holderOf(ctx, deps, id))
  if (!user) throw new AppError('auth.required')
  const { can, scope } = decisionsOf(user)
  if (!can('VIEW', 'VIDEO')) throw new AppError('access.denied')
  const [found] = await ctx.tx
    .select({ container: video.container, file })
    .from(video)
    .innerJoin(file, eq(file.id, video.fileId))
    .where(and(eq(video.id, id), isNull(video.deletedAt), scope('VIEW', 'VIDEO', scopeColumns(video))))
  if (!found) throw new AppError('record.not_found')
  const { size, sha256, name, contentType: told } = found.file
  const contentType = found.container ? TYPE_OF[found.container] : told
  const etag = `"${sha256}"`
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
  }
  if (isKnown(ctx.http.header('if-none-match'), etag))
    return stream({ status: 304, contentType, headers, body: nothing() })
  const condition = ctx.http.header('if-range')
  const range =
    condition === undefined || condition === etag ? rangeOf(ctx.http.header('range'), size) : undefined
  if (range === 'unsatisfiable')
    return stream({
      status: 416,
      contentType,
      headers: { ...headers, 'content-range': `bytes */${size}` },
      body: nothing(),
    })
  const body = await fileStoreOf(deps).read(sha256, range)
  if (!body) throw new AppError('record.not_found')
  // What was attached without having been looked at is saved and never shown.
  const saved = download === true || !contentType.startsWith('video/')
  return stream({
    status: range ? 206 : 200,
    contentType,
    ...(saved ? { fileName: name } : {}),
    length: range ? range.end - range.start + 1 : size,
    headers: {
      ...headers,
      ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
    },
    body,
  })
}

function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
