import type { FastifyInstance } from 'fastify'
import { runLogMessageSchema, type RunLogMessage } from '@weft/contract/core/events'
import type { Hub } from '@weft/hub/hub'
import { IDENTITY_CHANNEL, loadUsers, type HeldIdentities } from '../features/access/identities.ts'
import { sharedBackplane } from '../kit/backplane.ts'
import type { Deps, Live } from '../kit/deps.ts'
import type { Feature } from '../kit/feature.ts'
import { closeOutdated, deliver, pagesHub, sendRunLog, type HubUser } from './hub.ts'
import type { Publisher } from './publisher.ts'
import { Tailer } from './tailer.ts'
import { Visibility } from './visibility.ts'

export interface LiveOptions {
  deps: Deps
  features: readonly Feature[]
  publisher: Publisher
  identities: HeldIdentities
}

/** Everything that open pages are told, with its beginning and its end. */
export interface LivePages {
  hub: Hub<HubUser>
  mount(app: FastifyInstance): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  runLog: Live['runLog']
}

/** Joins the publisher, the tailer and the hub; a process without pages only publishes. */
export function livePages({ deps, features, publisher, identities }: LiveOptions): LivePages {
  const visibility = new Visibility(deps.db, features)
  const servesPages = deps.settings.roles.has('hub')
  const tailer = new Tailer(deps.db, deps.log, (rows) => deliver(hub, visibility, rows))
  const hub = pagesHub({ deps, visibility, tailer: () => tailer })
  // Log lines on their way to the processes that hold the pages; they may be lost, the stored log is exact.
  const relay = sharedBackplane(deps, 'hub_message')
  const undo: (() => Promise<void>)[] = []

  const checkConnections = () =>
    void closeOutdated(hub, {
      openAmong: (ids) => identities.openAmong(ids),
      peopleOf: (ids) => loadUsers(deps.db, ids),
    }).catch((error: unknown) => deps.log.warn({ err: error }, 'open pages could not be checked'))

  return {
    hub,
    async mount(app) {
      if (servesPages) await app.register(hub.plugin)
    },
    async start() {
      publisher.start()
      if (!servesPages) return
      await tailer.start(deps.notices)
      undo.push(await deps.notices.listen(IDENTITY_CHANNEL, checkConnections))
      await relay?.start((message) => {
        if (message.kind !== 'record') return
        const parsed = runLogMessageSchema.safeParse(JSON.parse(message.record))
        if (parsed.success) sendRunLog(hub, parsed.data)
      })
    },
    async stop() {
      for (const step of undo) await step()
      if (servesPages) {
        await tailer.stop()
        await relay?.stop()
      }
      await publisher.stop()
    },
    runLog(message: RunLogMessage) {
      if (!relay) return sendRunLog(hub, message)
      const record = {
        kind: 'record',
        from: '',
        target: { to: 'all' },
        record: JSON.stringify(message),
      } as const
      relay
        .publish(record)
        .catch((error: unknown) => deps.log.debug({ err: error }, 'log lines were not relayed'))
    },
  }
}
