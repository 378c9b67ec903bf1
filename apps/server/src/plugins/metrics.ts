import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { AppError } from '../kit/app-error.ts'
import { decisionsOf } from '../kit/admit.ts'

/** Counts and times every call, and shows the figures at `/metrics`: to this machine, and to who may view the system. */
export function addMetrics(app: FastifyInstance): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'weft_call_seconds',
    help: 'Time to answer a call',
    labelNames: ['call', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const connections = new Gauge({
    name: 'weft_database_connections',
    help: 'Connections of the pool by state',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { pool } = app.deps
      this.set({ state: 'open' }, pool.totalCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  registry.registerMetric(connections)
  app.addHook('onResponse', async (request, reply) => {
    const call = request.routeOptions.config.endpoint
    if (call)
      seconds.observe({ call, status: `${Math.trunc(reply.statusCode / 100)}xx` }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (request, reply) => {
    await mayRead(app, request)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return registry
}

async function mayRead(app: FastifyInstance, request: FastifyRequest): Promise<void> {
  const local = /^(?:127\.|::1$|::ffff:127\.)/.test(request.ip) && !request.headers['x-forwarded-for']
  if (local) return
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const identity = token === undefined ? null : await app.deps.identities.authenticate(token)
  if (!identity) throw new AppError('auth.required')
  if (!decisionsOf(identity.user).can('VIEW', 'SYSTEM')) throw new AppError('access.denied')
}
