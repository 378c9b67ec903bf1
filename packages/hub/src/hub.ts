import type { FastifyPluginAsync } from 'fastify'
import { HubCore } from './core.ts'
import { BackplaneLink } from './backplane-link.ts'
import type { HubMetrics } from './metrics.ts'
import { OutRecord, write } from './protocol.ts'
import { hubRoutes } from './routes.ts'
import type { CloseOptions, ConnectionInfo, HubOptions, Target } from './types.ts'

/** A hub: a place that clients connect to, and the way to reach them. */
export interface Hub<User> {
  /** Mounts the hub: `await app.register(hub.plugin)`. Once. */
  readonly plugin: FastifyPluginAsync
  /** Calls a client method. Never waits, never throws for a client's sake; what cannot be serialised throws. */
  send(target: Target<User>, method: string, ...args: unknown[]): void
  readonly groups: {
    /** False when no process holds the connection (any more). Groups end with the connection. */
    add(connectionId: string, group: string): Promise<boolean>
    remove(connectionId: string, group: string): Promise<boolean>
  }
  /** Ends all connections of a user, in every process. Without `allowReconnect` the clients stay away. */
  closeUser(userId: string, options?: CloseOptions): void
  /** Ends the connections of this process that match, and says how many. */
  closeWhere(match: (connection: ConnectionInfo<User>) => boolean, options?: CloseOptions): number
  /** The open connections of this process. */
  connections(): Iterable<ConnectionInfo<User>>
  metrics(): HubMetrics
  /** Takes no new connections and sends all clients away with leave to come back. */
  drain(): Promise<void>
}

/** Makes a hub. It serves nothing until its plugin is registered. */
export function createHub<User>(options: HubOptions<User>): Hub<User> {
  const core = new HubCore(options)
  const link = options.backplane ? new BackplaneLink(core, options.backplane) : null
  const routes = hubRoutes(core)

  return {
    async plugin(app, opts) {
      if (!options.logger) core.logger = app.log
      if (link) {
        app.addHook('onReady', async () => link.start())
        app.addHook('onClose', async () => link.stop())
      }
      await routes(app, opts)
    },

    send(target, method, ...args) {
      if (method === '') throw new Error('A client method has a name.')
      const json = write.call(method, args)
      if (link && target.to !== 'where') link.send(target, json)
      else core.deliver(target, new OutRecord(json))
    },

    groups: {
      async add(connectionId, group) {
        return (
          core.registry.join(connectionId, group) ||
          (await link?.changeGroup('add', connectionId, group)) === true
        )
      },
      async remove(connectionId, group) {
        return (
          core.registry.leave(connectionId, group) ||
          (await link?.changeGroup('remove', connectionId, group)) === true
        )
      },
    },

    closeUser(userId, close) {
      // Here at once; elsewhere by the backplane. Ids that nobody connected with yet go too.
      for (const connection of core.registry.ofUser(userId)) connection.close('revoked', close)
      link?.close({ to: 'user', id: userId }, close ?? {})
    },

    closeWhere(match, close) {
      let count = 0
      for (const connection of core.registry.all()) {
        if (!match(connection)) continue
        connection.close('revoked', close)
        count += 1
      }
      return count
    },

    *connections() {
      yield* core.registry.open()
    },

    metrics: () => measure(core),
    drain: () => core.drain(),
  }
}

function measure<User>(core: HubCore<User>): HubMetrics {
  const { counters } = core
  const metrics: HubMetrics = {
    connections: { WebSockets: 0, ServerSentEvents: 0, LongPolling: 0 },
    pending: { unused: 0, started: 0, closing: 0 },
    queuedBytes: 0,
    negotiated: counters.negotiated,
    opened: counters.opened,
    handshakesFailed: counters.handshakesFailed,
    closed: { ...counters.closed },
    recordsReceived: counters.recordsReceived,
    recordsSent: counters.recordsSent,
    polls: { ...counters.polls },
    backplane: { ...counters.backplane },
  }
  for (const connection of core.registry.all()) {
    metrics.queuedBytes += connection.channel?.queuedBytes ?? 0
    if (connection.state === 'new') metrics.pending.unused += 1
    else if (connection.state === 'started') metrics.pending.started += 1
    else if (connection.state === 'closing') metrics.pending.closing += 1
    else if (connection.transport) metrics.connections[connection.transport] += 1
  }
  return metrics
}
