import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { FILE_POLICY } from '../http/headers.ts'
import { SiteError } from '../http/site-error.ts'
import { formatNumber, type Notice } from '../store/notice.ts'
import type { Site } from './site.ts'

const ASSETS = join(import.meta.dirname, '../../assets')
const ASSET_TYPES = { 'site.css': 'text/css; charset=utf-8', 'icon.svg': 'image/svg+xml' } as const
const COLUMNS = ['number', 'title', 'category', 'author', 'account', 'posted_at', 'picture'] as const

/** One CSV cell; a spreadsheet must not take a visitor's text for a formula. */
export function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

function csvRow(notice: Notice): string {
  const { number, title, category, author, account, postedAt, picture } = notice
  const cells = [
    formatNumber(number),
    title,
    category,
    author,
    account ?? '',
    postedAt,
    picture ? 'yes' : 'no',
  ]
  return cells.map(csvCell).join(',')
}

/** The style sheet, the icon, uploaded pictures and the report; they need no language. */
export async function addFiles(app: FastifyInstance, { store }: Site): Promise<void> {
  for (const [file, type] of Object.entries(ASSET_TYPES)) {
    const content = await readFile(join(ASSETS, file))
    app.get(`/assets/${file}`, async (_request, reply) => {
      return await reply.type(type).header('cache-control', 'max-age=300').send(content)
    })
  }

  app.get<{ Params: { file: string } }>('/pictures/:file', async (request, reply) => {
    // Only names that some notice holds are looked for on the disk.
    const picture = store.board.picture(request.params.file)
    if (!picture) throw new SiteError(404, 'not_found')
    void reply.type(picture.type).headers({
      'content-security-policy': FILE_POLICY,
      'cache-control': 'max-age=86400, immutable',
      'content-length': picture.bytes,
    })
    return await reply.send(createReadStream(join(store.board.pictures, picture.file)))
  })

  app.get('/files/report.csv', async (_request, reply) => {
    const lines = [COLUMNS.join(','), ...store.board.list().map(csvRow)]
    // The mark at the front tells spreadsheets that it is UTF-8.
    return await reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="report.csv"')
      .send(`\uFEFF${lines.join('\r\n')}\r\n`)
  })
}
