import type { FastifyInstance } from 'fastify'
import { clients } from '@weft/contract/clients/api'
import type { Engine } from '../../engine/engine.ts'
import { implementResource } from '../../kit/resource.ts'
import { clientAdminHandlers } from './admin.ts'
import { clientResource } from './resource.ts'

/** Mounts the calls about clients. */
export function mountClients(app: FastifyInstance, engine: Engine): void {
  implementResource(app, clients, clientResource, clientAdminHandlers(engine, app.deps))
}
