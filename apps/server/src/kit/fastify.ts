import type { Endpoint } from '@weft/contract/core/endpoint'
import type { Deps } from './deps.ts'

declare module 'fastify' {
  interface FastifyInstance {
    deps: Deps
    /** Every call that was mounted, for the API's description and the walk of access tests. */
    endpoints: Endpoint[]
  }
  interface FastifyRequest {
    /** Ends when the caller goes away before the answer. */
    callerGone: AbortSignal
  }
  interface FastifyContextConfig {
    /** The body is bytes for the handler, not JSON. */
    rawBody?: boolean
    /** Name of the call, for logs and metrics. */
    endpoint?: string
  }
}
