import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { HUB_METHODS, runLogMessageSchema, type HubEnvelope } from '@weft/contract/core/events'
import { testRunMessageSchema } from '@weft/contract/test-runs/schema'
import type { Hub } from '@weft/hub/hub'
import { to } from '@weft/hub/types'
import { IDENTITY_CHANNEL, loadUsers, type HeldIdentities } from '../features/access/identities.ts'
import { Presence } from '../features/workflows/presence/presence.ts'
import { sharedBackplane } from '../kit/backplane.ts'
import type { Deps, Live } from '../kit/deps.ts'
import type { Feature } from '../kit/feature.ts'
import { closeOutdated, deliver, pagesHub, sendRunLog, sendTestRun, type HubUser } from './hub.ts'
import type { Publisher } from './publisher.ts'
import { Tailer } from './tailer.ts'
import { Visibility } from './visibility.ts'

/** What goes to the processes that hold the pages: lines for those who watch, or news for one person. */
const relayed = z.union([
  z.strictObject({ for: z.string(), test: testRunMessageSchema }),
  runLogMessageSchema,
])

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
  testRun: Live['testRun']
}

/** Joins the publisher, the tailer and the hub; a process without pages only publishes. */
export function livePages({ deps, features, publisher, identities }: LiveOptions): LivePages {
  const visibility = new Visibility(deps.db, features)
  const servesPages = deps.settings.roles.has('hub')
  const tailer = new Tailer(deps.db, deps.log, (rows) => {
    // A workflow that changed may be in another project now, where not all who have it open may see it.
    presence.look(rows.flatMap(({ feature, recordId }) => (feature === 'workflows' ? [recordId] : [])))
    return deliver(hub, visibility, rows)
  })
  const hub = pagesHub({ deps, visibility, tailer: () => tailer, presence: () => presence })
  const presence = new Presence({
    db: deps.db,
    log: deps.log,
    among: (person, ids) => visibility.among(person, 'workflows', ids),
    send(connectionId, message) {
      const envelope: HubEnvelope = { method: HUB_METHODS.workflowPresence, message }
      hub.send(to.connection(connectionId), 'send', envelope)
    },
  })
  // Log lines on their way to the processes that hold the pages; they may be lost, the stored log is exact.
  const relay = sharedBackplane(deps, 'hub_message')
  const pass = (message: z.infer<typeof relayed>) => {
    const record = {
      kind: 'record',
      from: '',
      target: { to: 'all' },
      record: JSON.stringify(message),
    } as const
    relay
      ?.publish(record)
      .catch((error: unknown) => deps.log.debug({ err: error }, 'log lines were not relayed'))
  }
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
      await presence.start(deps.notices)
      undo.push(await deps.notices.listen(IDENTITY_CHANNEL, checkConnections))
      await relay?.start((message) => {
        if (message.kind !== 'record') return
        const parsed = relayed.safeParse(JSON.parse(message.record))
        if (!parsed.success) return
        if ('test' in parsed.data) sendTestRun(hub, parsed.data.for, parsed.data.test)
        else sendRunLog(hub, parsed.data)
      })
    },
    async stop() {
      for (const step of undo) await step()
      if (servesPages) {
        await presence.stop()
        await tailer.stop()
        await relay?.stop()
      }
      await publisher.stop()
    },
    runLog(message) {
      if (relay) pass(message)
      else sendRunLog(hub, message)
    },
    testRun(userId, test) {
      if (relay) pass({ for: userId, test })
      else sendTestRun(hub, userId, test)
    },
  }
}
