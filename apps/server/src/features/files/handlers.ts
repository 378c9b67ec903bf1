import { and, eq, ne, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { FILE_MAX_BYTES, files, type fileSchema } from '@weft/contract/files/api'
import { stream } from '../../kit/answers.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import { fileStoreOf } from '../../kit/file-store.ts'
import { prepared, type Implementation } from '../../kit/implement.ts'
import { madeBy, newId } from '../../kit/record.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { runScope } from '../runs/scope.ts'
import { run } from '../runs/table.ts'
import { video } from '../videos/table.ts'
import { contentTypeOf, isShown } from './content-type.ts'
import { rangeOf } from './range.ts'
import { file, type FileRow } from './table.ts'

const HEAD_BYTES = 16

/** Uploading files, and reading them again. */
export function fileHandlers(deps: Pick<Deps, 'settings'>): Implementation<typeof files> {
  const store = fileStoreOf(deps)
  return {
    upload: prepared(
      files.upload,
      async ({ body }) => {
        const head = { bytes: new Uint8Array() }
        const stored = await store.put(seen(body.stream(), head), FILE_MAX_BYTES)
        return { ...stored, contentType: contentTypeOf(head.bytes) }
      },
      async (ctx, { name }, { sha256, size, contentType }) => {
        const [row] = await ctx.tx
          .insert(file)
          .values({ id: newId(), ...madeBy(ctx), name, size, contentType, sha256 })
          .returning()
        if (!row) throw new Error('the file was not stored')
        ctx.audit({ feature: 'files', recordId: row.id, after: { name, size, contentType, sha256 } })
        return present(row)
      },
    ),

    get: async (ctx, { id }) => present(await findFile(ctx, id)),

    async content(ctx, { id }) {
      const row = await findFile(ctx, id)
      const range = rangeOf(ctx.http.header('range'), row.size)
      if (range === 'unsatisfiable')
        return stream({
          status: 416,
          contentType: 'application/octet-stream',
          headers: { 'content-range': `bytes */${row.size}` },
          body: nothing(),
        })
      const body = await store.read(row.sha256, range)
      if (!body) throw new AppError('record.not_found')
      const shown = isShown(row.contentType)
      return stream({
        status: range ? 206 : 200,
        contentType: row.contentType,
        ...(shown ? {} : { fileName: row.name }),
        length: range ? range.end - range.start + 1 : row.size,
        headers: {
          'accept-ranges': 'bytes',
          etag: `"${row.sha256}"`,
          'x-content-type-options': 'nosniff',
          ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${row.size}` } : {}),
        },
        body,
      })
    },
  }
}

/** The bytes as they pass, the first of them kept. */
async function* seen(
  bytes: AsyncIterable<Uint8Array>,
  head: { bytes: Uint8Array },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    if (head.bytes.length < HEAD_BYTES)
      head.bytes = Buffer.concat([head.bytes, chunk.subarray(0, HEAD_BYTES)]).subarray(0, HEAD_BYTES)
    yield chunk
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/**
 * A file that the caller may read: their own, that of a run whose campaign they may see, or that of a video they may
 * see. The files of a profile are for agents alone: they hold sessions.
 */
async function findFile(ctx: CallContext, id: string): Promise<FileRow> {
  const ofRun = ctx.scope('VIEW', 'CAMPAIGN', runScope)
  const ofVideo = ctx.scope('VIEW', 'VIDEO', scopeColumns(video))
  const [row] = await ctx.tx
    .select()
    .from(file)
    .where(
      and(
        eq(file.id, id),
        ne(file.purpose, 'snapshot'),
        or(
          eq(file.ownerId, ctx.user.id),
          sql`exists (select 1 from ${run} where ${run.id} = ${file.runId} and ${ofRun})`,
          sql`exists (select 1 from ${video} where ${video.fileId} = ${file.id} and ${video.deletedAt} is null and ${ofVideo})`,
        ),
      ),
    )
  if (!row) throw new AppError('record.not_found')
  return row
}

function present(row: FileRow): z.input<typeof fileSchema> {
  const { id, name, size, contentType, sha256 } = row
  return { id, name, size, contentType, sha256, createdAt: row.createdAt.toISOString() }
}
