import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kit/app-error.ts'

/** Paths that are calls and never pages. */
const NOT_A_PAGE = /^\/(?:api-|hub(?:\/|$)|health\/|metrics$|check$)/

/** Serves the built console: its files for ever, since their names change with them, and its page for every page path. */
export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  if (existsSync(folder))
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const named = path.includes('/assets/')
        void reply.header('cache-control', named ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  app.setNotFoundHandler((request, reply) => page(folder, request, reply))
}

async function page(folder: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = request.url.split('?', 1)[0] ?? '/'
  const isPage = request.method === 'GET' && !NOT_A_PAGE.test(path) && !/\.\w+$/.test(path)
  if (!isPage) throw new AppError('route.not_found')
  const html = await readFile(join(folder, 'index.html')).catch(() => undefined)
  if (!html)
    return reply
      .code(503)
      .type('text/plain; charset=utf-8')
      .send('The console has not been built: npm start builds it.\n')
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html)
}
