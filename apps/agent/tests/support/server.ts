import fastify, { type FastifyInstance } from 'fastify'
import { AGENT_STREAM_PATH, agents } from '@weft/contract/agents/api'
import { AGENT_COMMAND_METHOD } from '@weft/contract/agents/sessions'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { createHub } from '@weft/hub/hub'
import { to } from '@weft/hub/types'
import { z } from 'zod'
import { fakeCalls, Refused } from './calls.ts'
import { FakeState } from './state.ts'

/** A server that follows the contract: every request is parsed by its schemas. It can be cut off and restarted. */
export class FakeServer {
  readonly state = new FakeState()
  /** How often each call arrived. */
  readonly counts = new Map<string, number>()
  /** Requests that the contract's schemas refused. */
  readonly malformed: string[] = []
  #app: FastifyInstance | undefined
  #port = 0
  /** While true every request is dropped without an answer, as by a cut cable. */
  cut = false

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async start(): Promise<void> {
    const app = fastify({ bodyLimit: 16 * 1024 * 1024, forceCloseConnections: true })
    app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    app.addHook('onRequest', (request, _reply, done) => {
      if (this.cut) request.raw.socket.destroy()
      else done()
    })
    const hub = createHub<string>({
      path: AGENT_STREAM_PATH,
      authenticate: ({ token }) => {
        const clientId = this.#clientOf(token)
        return clientId === undefined ? { status: 401 as const } : { user: clientId, userId: clientId }
      },
    })
    await app.register(hub.plugin)
    this.state.push = (clientId, message) => {
      if (!this.cut) hub.send(to.user(clientId), 'send', { method: AGENT_COMMAND_METHOD, message })
    }
    this.#route(app)
    await app.listen({ host: '127.0.0.1', port: this.#port })
    const address = app.server.address()
    if (address !== null && typeof address === 'object') this.#port = address.port
    this.#app = app
  }

  /** Ends the HTTP side; what it knows stays. */
  async stop(): Promise<void> {
    this.state.push = () => undefined
    const app = this.#app
    this.#app = undefined
    app?.server.closeAllConnections()
    await app?.close()
  }

  #clientOf(token: string): string | undefined {
    for (const [id, client] of this.state.clients)
      if (client.token === token && !this.state.revoked) return id
    return undefined
  }

  #route(app: FastifyInstance): void {
    const calls = new Map<string, (input: unknown, call: { clientId: string; body: Buffer }) => unknown>(
      Object.entries(fakeCalls(this.state)).map(([name, handle]) => [name, handle as never]),
    )
    for (const [name, endpoint] of Object.entries<Endpoint>(agents)) {
      app.route({
        method: endpoint.method,
        url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        handler: async (request, reply) => {
          this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
          if (this.state.busy.has(name))
            return await reply
              .status(503)
              .send({ status: 'Error', code: 'system.database_unavailable', message: 'Wait.' })
          const token = (request.headers.authorization ?? '').replace('Bearer ', '')
          const clientId = this.#clientOf(token)
          const refuse = (status: number, code: string, params = {}) =>
            reply.status(status).send({ status: 'Error', code, message: code, params })
          if (endpoint.access === 'agent' && clientId === undefined) return refuse(401, 'auth.required')
          const raw = endpoint.rawBody !== undefined
          const source = [request.params, request.query, raw ? {} : (request.body ?? {})]
          const given = Object.assign(
            {},
            ...source.map((part) => z.record(z.string(), z.unknown()).parse(part)),
          )
          const input = endpoint.input?.safeParse(given)
          if (input && !input.success) {
            this.malformed.push(`${name}: ${input.error.message}`)
            return refuse(422, 'request.invalid')
          }
          try {
            const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
            const data = calls.get(name)?.(input?.data, { clientId: clientId ?? '', body })
            const lose = this.state.loseAnswers.get(name) ?? 0
            if (lose > 0) {
              this.state.loseAnswers.set(name, lose - 1)
              request.raw.socket.destroy()
              return reply.hijack()
            }
            if (Buffer.isBuffer(data)) return await reply.type('application/octet-stream').send(data)
            return await reply.send({ status: 'Success', data: endpoint.data?.parse(data) ?? null })
          } catch (error) {
            if (!(error instanceof Refused)) throw error
            return refuse(error.status, error.code, error.params)
          }
        },
      })
    }
  }
}

/** Waits until something is so; fails with its description after a while. */
export async function until<T>(
  what: string,
  find: () => T | undefined | null | false,
  seconds = 45,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const found = find()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`It did not happen: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
