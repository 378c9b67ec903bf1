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

async function databaseAnswers(app: FastifyInstance): Promise<boolean> {
  try {
    await app.deps.pool.query('select 1')
    return true
  } catch {
    app.deps.gate.suspect()
    return false
  }
}
