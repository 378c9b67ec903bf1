import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Connection } from './connection.ts'
import type { HubCore } from './core.ts'
import { answerHeaders, originAllowed, preflightHeaders, queryOf, redactUrl, tokenOf } from './headers.ts'
import { negotiate } from './negotiate.ts'
import { type Ask, decide, purposeOf } from './statuses.ts'
import { LongPollingTransport } from './transports/long-polling.ts'
import { SseTransport } from './transports/sse.ts'
import type { Identity } from './types.ts'
import { upgradeHandler } from './upgrade.ts'
import { claimUpgrades } from './upgrades.ts'

/** What is known of a request from its arrival to its answer. */
interface Visit<User> {
  ask: Ask
  query: URLSearchParams
  /** The connection that the id named on arrival. */
  connection: Connection<User> | undefined
  /** Its place among the polls of that connection. */
  arrival: number
  /** Its turn among the POSTs of that connection. */
  turn: { ready: Promise<void>; done: () => void } | null
  identity: Identity<User> | null
}

const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS']

/** The hub's two routes and its upgrades, as one encapsulated plugin. */
export function hubRoutes<User>(core: HubCore<User>): FastifyPluginAsync {
  return async (app) => {
    const visits = new WeakMap<FastifyRequest, Visit<User>>()
    // The client sends text/plain, nothing, or anything: a unit is bytes whatever its label says.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    app.addHook('onRequest', async (request, reply) => {
      // A label that Fastify cannot read would be refused before any parser is asked.
      if (request.raw.headers['content-type'] !== undefined)
        request.raw.headers['content-type'] = 'application/octet-stream'
      const visit = arrive(core, request, reply)
      visits.set(request, visit)
      return admit(core, visit, request, reply)
    })
    app.setErrorHandler(async (error, request, reply) =>
      fail(core, visits.get(request)?.connection, error, reply),
    )

    const path = core.options.path
    const shared = {
      method: METHODS,
      exposeHeadRoute: false,
      bodyLimit: core.limits.unitBytes,
      config: { rateLimit: false },
      logSerializers: {
        req: (request: FastifyRequest) => ({
          method: request.method,
          url: redactUrl(request.url),
          remoteAddress: request.ip,
        }),
      },
    }
    for (const url of [path, `${path}/negotiate`])
      app.route({
        ...shared,
        url,
        handler: async (request, reply) => {
          const visit = visits.get(request)
          if (!visit) throw new Error('A hub request was never admitted.')
          return answer(core, visit, request, reply)
        },
      })

    const release = claimUpgrades(app.server, app.prefix + path, upgradeHandler(core))
    keepOpen(app, core, release)
  }
}

function keepOpen<User>(app: FastifyInstance, core: HubCore<User>, release: () => void): void {
  // Open streams, polls and sockets would hold `close()` for ever.
  app.addHook('preClose', async () => core.drain())
  app.addHook('onClose', async () => {
    release()
    core.stop()
  })
}

function arrive<User>(core: HubCore<User>, request: FastifyRequest, reply: FastifyReply): Visit<User> {
  const query = queryOf(request.raw.url)
  const endpoint = request.routeOptions.url?.endsWith('/negotiate') ? 'negotiate' : 'hub'
  const id = query.get('id') || null
  const wants = request.headers.accept?.includes('text/event-stream') ? 'events' : 'poll'
  const connection = endpoint === 'hub' && id !== null ? core.registry.find(id) : undefined
  // Taken on arrival: token checks may take differently long.
  const turn = connection && request.method === 'POST' ? connection.takeTurn() : null
  if (turn) reply.raw.on('close', turn.done)
  return {
    ask: { endpoint, method: request.method, id, wants },
    query,
    connection,
    arrival: connection?.nextArrival() ?? 0,
    turn,
    identity: null,
  }
}

/** Headers, preflight, token, and the first look at the status: all before a body is read. */
async function admit<User>(
  core: HubCore<User>,
  visit: Visit<User>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const allowed = originAllowed(request.raw, core.options)
  reply.headers(answerHeaders(request.raw, allowed))
  if (request.method === 'OPTIONS') {
    if (allowed) reply.headers(preflightHeaders)
    return reply.code(204).send()
  }
  const identity = await core.authorize(tokenOf(request.raw, visit.query), purposeOf(visit.ask), request.raw)
  if ('status' in identity) return refuse(reply, identity.status)
  visit.identity = identity
  const verdict = decide(visit.ask, visit.connection, identity.userId, core.offered)
  return 'refuse' in verdict ? refuse(reply, verdict.refuse, verdict.text) : undefined
}

function refuse(reply: FastifyReply, status: number, text = ''): FastifyReply {
  return reply.code(status).type('text/plain').send(text)
}

/** Decides again, now that nothing can come between, and acts. */
async function answer<User>(
  core: HubCore<User>,
  visit: Visit<User>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { ask, connection, identity } = visit
  if (!identity) return refuse(reply, 401)
  // Earlier POSTs of this connection go first, and one of them may end it.
  await visit.turn?.ready
  const verdict = decide(ask, connection, identity.userId, core.offered)
  if ('refuse' in verdict) return refuse(reply, verdict.refuse, verdict.text)
  if (verdict.do === 'negotiate') return negotiate(core, identity, visit.query, request.raw, reply)
  if (!connection) return refuse(reply, 404)
  connection.renew(identity)
  switch (verdict.do) {
    case 'send': {
      if (Buffer.isBuffer(request.body)) connection.receive(request.body)
      // The client sends its next unit only after this answer.
      const room = connection.inputRoom()
      if (room) await room
      visit.turn?.done()
      return refuse(reply, 200)
    }
    case 'end':
      connection.leave()
      return refuse(reply, 202)
    case 'poll':
    case 'connect':
      return hold(core, visit, connection, reply)
    default:
      return refuse(reply, 400)
  }
}

/** Takes the response out of Fastify's hands: its hooks do not run any more, so it carries its headers along. */
function hold<User>(
  core: HubCore<User>,
  visit: Visit<User>,
  connection: Connection<User>,
  reply: FastifyReply,
): FastifyReply {
  const headers: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(reply.getHeaders())) headers[name] = value
  const response = reply.raw
  reply.hijack()
  if (visit.ask.wants === 'events') {
    // It left while its token was checked; the id stays for another try.
    if (response.destroyed || response.closed) return reply
    connection.start(new SseTransport(response, headers, connection, core.limits, core.clock.now()))
    return reply
  }
  if (connection.channel === null)
    connection.start(
      new LongPollingTransport(
        connection,
        core.limits,
        () => core.clock.now(),
        (waitedMs) => {
          core.counters.polls.answered += 1
          core.counters.polls.waitedMs += waitedMs
        },
      ),
    )
  if (connection.channel instanceof LongPollingTransport)
    connection.channel.poll({ response, headers, arrival: visit.arrival })
  return reply
}

function fail<User>(
  core: HubCore<User>,
  connection: Connection<User> | undefined,
  error: unknown,
  reply: FastifyReply,
): FastifyReply {
  const status =
    error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
      ? error.statusCode
      : 500
  if (status === 413 && connection)
    connection.close('recordTooBig', { error: 'Connection closed with an error.', allowReconnect: true })
  if (status >= 400 && status < 500) return refuse(reply, status)
  core.logger.error({ err: error }, 'hub request failed')
  return refuse(reply, 500)
}
