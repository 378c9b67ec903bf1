import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** `/health/live`: the process answers. `/health/ready`: it can do its work. `/check`: what a proxy's exit looks like. */
export function addHealth(app: FastifyInstance): void {
  app.get('/health/live', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
    return { status: 'live' }
  })
  app.get('/health/ready', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
    const ready = await databaseAnswers(app)
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'waiting for the database' })
  })
  app.get('/check', async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    return { address: request.ip, at: app.deps.now().toISOString() }
  })
}

/** Whoever asks wants to know soon; a database that only keeps one waiting does not answer. */
const ANSWER_MS = 2_000

async function databaseAnswers(app: FastifyInstance): Promise<boolean> {
  const timer = new AbortController()
  const late = delay(ANSWER_MS, false, { signal: timer.signal }).catch(() => false)
  const answered = app.deps.pool.query('select 1').then(
    () => true,
    () => false,
  )
  const ready = await Promise.race([answered, late])
  timer.abort()
  if (!ready) app.deps.gate.suspect()
  return ready
}
