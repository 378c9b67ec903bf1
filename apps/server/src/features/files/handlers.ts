import type { z } from 'zod'
import { FILE_MAX_BYTES, files, type fileSchema } from '@weft/contract/files/api'
import { stream } from '../../kit/answers.ts'
import { AppError } from '../../kit/app-error.ts'
import type { Deps } from '../../kit/deps.ts'
import { fileStoreOf } from '../../kit/file-store.ts'
import { prepared, type Implementation } from '../../kit/implement.ts'
import { madeBy, newId } from '../../kit/record.ts'
import { checkStorage } from '../videos/uploads/begin.ts'
import { contentTypeOf, isShown } from './content-type.ts'
import { findFile } from './find.ts'
import { rangeOf } from './range.ts'
import { file, type FileRow } from './table.ts'

const HEAD_BYTES = 16

/** Uploading files, and reading them again. */
export function fileHandlers(deps: Pick<Deps, 'settings' | 'system'>): Implementation<typeof files> {
  const store = fileStoreOf(deps)
  return {
    upload: prepared(
      files.upload,
      async ({ body }) => {
        const head = { bytes: new Uint8Array() }
        const stored = await store.put(seen(body.stream(), head), FILE_MAX_BYTES)
        return { ...stored, contentType: contentTypeOf(head.bytes) }
      },
      async (ctx, { name, purpose }, { sha256, size, contentType }) => {
        if (purpose === 'page') await checkStorage(ctx, deps, ctx.user.id, size, 'file')
        const [row] = await ctx.tx
          .insert(file)
          .values({ id: newId(), ...madeBy(ctx), name, size, contentType, sha256, purpose })
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

function present(row: FileRow): z.input<typeof fileSchema> {
  const { id, name, size, contentType, sha256 } = row
  return { id, name, size, contentType, sha256, createdAt: row.createdAt.toISOString() }
}
