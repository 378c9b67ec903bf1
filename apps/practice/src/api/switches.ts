import type { FastifyInstance } from 'fastify'
import { SiteError } from '../http/site-error.ts'
import { readScope } from '../pages/switches.ts'
import type { Site } from '../pages/site.ts'
import { switchesSchema } from '../store/switches.ts'

/** Setting the faults from a program: `all` or a username; what is not given is off. */
export function addSwitchCalls(app: FastifyInstance, { store }: Site): void {
  app.get('/api/switches', async () => ({ switches: store.switches.list() }))

  app.put<{ Params: { scope: string } }>('/api/switches/:scope', async (request) => {
    const scope = readScope(request.params.scope)
    if (scope === null) throw new SiteError(404, 'not_found')
    const input = switchesSchema.parse(request.body)
    return { scope, switches: await store.switches.set(scope, input) }
  })

  app.delete('/api/switches', async () => {
    await store.switches.clear()
    return { switches: {} }
  })

  app.get('/api/health', async () => ({ status: 'ok' }))
}
