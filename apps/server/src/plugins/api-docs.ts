import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openApi } from '../kit/openapi.ts'

const FILES = {
  '/api-docs': ['page.html', 'text/html; charset=utf-8'],
  '/api-docs/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/api-docs/page.css': ['page.css', 'text/css; charset=utf-8'],
} as const

/** `/api-docs/json`: the OpenAPI description of every call. `/api-docs`: a page that shows it. */
export function addApiDocs(app: FastifyInstance): void {
  let text: string | undefined
  app.get('/api-docs/json', async (_request, reply) => {
    const { version, settings } = app.deps
    text ??= JSON.stringify(openApi(app.endpoints, { version, url: settings.publicUrl }))
    return reply.type('application/json; charset=utf-8').send(text)
  })
  for (const [path, [file, type]] of Object.entries(FILES))
    app.get(path, async (_request, reply) =>
      reply.type(type).send(await readFile(join(import.meta.dirname, 'api-docs', file))),
    )
}
