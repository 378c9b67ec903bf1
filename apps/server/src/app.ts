import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import fastifyCookie from '@fastify/cookie'
import { fastify, LogController, type FastifyInstance } from 'fastify'
import type { Deps } from './kit/deps.ts'
import './kit/fastify.ts'
import type { Feature } from './kit/feature.ts'
import { replyWithError } from './kit/errors-reply.ts'
import { addApiDocs } from './plugins/api-docs.ts'
import { readBodies } from './plugins/body.ts'
import { serveConsole } from './plugins/console-files.ts'
import { addSecurityHeaders } from './plugins/headers.ts'
import { addHealth } from './plugins/health.ts'
import { addMetrics } from './plugins/metrics.ts'

export interface AppOptions {
  deps: Deps
  features: readonly Feature[]
  mountHub: (app: FastifyInstance) => Promise<void>
  consoleFolder?: string
}

const CONSOLE = join(import.meta.dirname, '../../console/dist')

/** Builds the server's application, the same for production and for tests. */
export async function buildApp({
  deps,
  features,
  mountHub,
  consoleFolder = CONSOLE,
}: AppOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    requestTimeout: 10 * 60_000,
    connectionTimeout: 2 * 60_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 15_000 },
    forceCloseConnections: 'idle',
    // An address that cannot be read never comes as far as the error handler below.
    frameworkErrors: replyWithError,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
  })
  app.decorate('deps', deps)
  app.decorate('endpoints', [])
  app.setErrorHandler(replyWithError)
  addSecurityHeaders(app, {
    https: deps.settings.publicUrl.startsWith('https:'),
    botCheckScript: () => deps.botCheck.script(),
  })
  readBodies(app)
  noticeGoneCallers(app)
  logCalls(app)
  await app.register(fastifyCookie)
  addHealth(app)
  addMetrics(app)
  await mountHub(app)
  for (const feature of features) feature.mount(app)
  addApiDocs(app)
  await serveConsole(app, consoleFolder)
  return app
}

/** Gives each request a signal that ends when its caller goes away. */
function noticeGoneCallers(app: FastifyInstance): void {
  const controllers = new WeakMap<object, AbortController>()
  app.decorateRequest('callerGone', {
    getter() {
      const known = controllers.get(this) ?? new AbortController()
      controllers.set(this, known)
      return known.signal
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return
      const controller = controllers.get(request) ?? new AbortController()
      controllers.set(request, controller)
      controller.abort()
    })
  })
}

/** One line for each answered call, without its query string: tokens and names travel there. */
function logCalls(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { endpoint } = request.routeOptions.config
    if (!endpoint) return
    const line = { call: endpoint, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }
    if (reply.statusCode >= 500) request.log.warn(line, 'call')
    else request.log.debug(line, 'call')
  })
}
