import { asc, gt, max, min } from 'drizzle-orm'
import { z } from 'zod'
import {
  changesArgs,
  HUB_INVOCATIONS,
  HUB_METHODS,
  hubMethodOf,
  watchArgs,
  type ChangeEvent,
  type HubEnvelope,
  type RunLogMessage,
} from '@weft/contract/core/events'
import type { TestRunMessage } from '@weft/contract/test-runs/schema'
import { presentArgs } from '@weft/contract/workflows/presence'
import { createHub, type Hub } from '@weft/hub/hub'
import { HubError, methodOf, to } from '@weft/hub/types'
import type { Presence } from '../features/workflows/presence/presence.ts'
import { isOwnOrigin } from '../kit/csrf.ts'
import type { Deps } from '../kit/deps.ts'
import type { SignedInUser } from '../kit/context.ts'
import { event, type EventRow } from '../kit/tables.ts'
import type { Tailer } from './tailer.ts'
import { changeOf, type Visibility } from './visibility.ts'

/** Somebody connected: the person as they were when they connected, and their session. */
export interface HubUser {
  person: SignedInUser
  sessionId: string
  /** Somebody else looks on as this person. */
  lookedOn: boolean
}

const REPLAY_MAX = 1_000
const WATCHED_MAX = 50

const pingArgs = z.tuple([z.string().max(100)]).or(z.tuple([]))

/** The group of those who watch one record's live stream. */
const watchers = (feature: string, id: string) => `${feature}:${id}`

export interface PagesHubOptions {
  deps: Deps
  visibility: Visibility
  tailer: () => Tailer
  presence: () => Presence
}

/** The hub of the open pages: pings, changes since a number, live streams of records that one may see. */
export function pagesHub({ deps, visibility, tailer, presence }: PagesHubOptions): Hub<HubUser> {
  const method = methodOf<HubUser>()
  const hub: Hub<HubUser> = createHub<HubUser>({
    path: '/hub',
    logger: deps.log,
    nodeSecret: deps.secrets.derive('hub').toString('base64url'),
    allowOrigin: (origin) => isOwnOrigin({ headers: { origin } }, deps.settings),
    async authenticate({ token }) {
      const identity = await deps.identities.authenticate(token)
      // Live pages are for people; a program asks when it wants to know.
      if (!identity || identity.tokenName !== undefined) return { status: 401 }
      const { user, sessionId, expiresAt, viewer } = identity
      return {
        user: { person: user, sessionId, lookedOn: viewer !== undefined },
        userId: user.id,
        expiresAt,
      }
    },
    onDisconnected: ({ connectionId }) => presence().leave(connectionId),
    methods: {
      [HUB_INVOCATIONS.ping]: method({
        args: pingArgs,
        handle: ({ connection }) => {
          const pong: HubEnvelope = { method: HUB_METHODS.pingPong, message: 'Pong' }
          hub.send(to.connection(connection.connectionId), 'send', pong)
          return 'Pong'
        },
      }),
      [HUB_INVOCATIONS.changes]: method({
        args: changesArgs,
        handle: ({ user }, { after }) => replay(deps, visibility, tailer().latest, user.person, after),
      }),
      [HUB_INVOCATIONS.watch]: method({
        args: watchArgs,
        async handle({ user, connection }, { feature, id }) {
          const seen = await visibility.among(user.person, feature, [id])
          if (!seen.has(id)) throw new HubError('record.not_found')
          if (connection.groups.size >= WATCHED_MAX) throw new HubError('request.too_many')
          await hub.groups.add(connection.connectionId, watchers(feature, id))
        },
      }),
      [HUB_INVOCATIONS.unwatch]: method({
        args: watchArgs,
        async handle({ connection }, { feature, id }) {
          await hub.groups.remove(connection.connectionId, watchers(feature, id))
        },
      }),
      [HUB_INVOCATIONS.present]: method({
        args: presentArgs,
        async handle({ user, connection, signal }, { workflowId, activityId }) {
          const { connectionId } = connection
          const page = { connectionId, person: user.person, unseen: user.lookedOn }
          if (workflowId === null) presence().leave(connectionId)
          else if (!(await presence().enter(page, workflowId, activityId, signal)))
            throw new HubError('record.not_found')
        },
      }),
    },
  })
  return hub
}

/** The events after a number that somebody may see. Too many, or some already cleared away: fetch everything anew. */
async function replay(
  deps: Deps,
  visibility: Visibility,
  known: number,
  person: SignedInUser,
  after: number,
): Promise<{ events: ChangeEvent[]; latest: number; tooOld: boolean }> {
  const [bounds] = await deps.db.select({ first: min(event.seq), last: max(event.seq) }).from(event)
  const latest = Math.max(bounds?.last ?? 0, known)
  const first = bounds?.first ?? latest + 1
  // A number from the future belongs to another database, restored or made anew.
  if (after > latest || after + 1 < first) return { events: [], latest, tooOld: after !== latest }
  const rows = await deps.db
    .select()
    .from(event)
    .where(gt(event.seq, after))
    .orderBy(asc(event.seq))
    .limit(REPLAY_MAX + 1)
  if (rows.length > REPLAY_MAX) return { events: [], latest, tooOld: true }
  const seen = await visibility.eventsFor(person, rows)
  return { events: seen.map(changeOf), latest: rows.at(-1)?.seq ?? latest, tooOld: false }
}

/** Sends events to this process's pages of those who may see the records. One look at the rules per person. */
export async function deliver(
  hub: Hub<HubUser>,
  visibility: Visibility,
  rows: readonly EventRow[],
): Promise<void> {
  const people = new Map<string, SignedInUser>()
  for (const { userId, user } of hub.connections()) people.set(userId, user.person)
  for (const [userId, person] of people)
    for (const row of await visibility.eventsFor(person, rows)) {
      const envelope: HubEnvelope = { method: hubMethodOf(row.feature), message: changeOf(row) }
      hub.send(to.user(userId), 'send', envelope)
    }
}

/** Sends log lines to this process's pages that watch the run or its campaign. */
export function sendRunLog(hub: Hub<HubUser>, message: RunLogMessage): void {
  const envelope: HubEnvelope = { method: HUB_METHODS.runLog, message }
  hub.send(to.group(watchers('runs', message.runId)), 'send', envelope)
  if (message.campaignId) hub.send(to.group(watchers('campaigns', message.campaignId)), 'send', envelope)
}

/** Sends what happens in a test run to this process's pages of the person who started it. */
export function sendTestRun(hub: Hub<HubUser>, userId: string, message: TestRunMessage): void {
  const envelope: HubEnvelope = { method: HUB_METHODS.testWorkflowLog, message }
  hub.send(to.user(userId), 'send', envelope)
}

/** Closes what may not stay open: pages of ended sessions for good; of people whose rights changed, to come back. */
export async function closeOutdated(
  hub: Hub<HubUser>,
  current: {
    openAmong(sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>>
    peopleOf(userIds: readonly string[]): Promise<ReadonlyMap<string, SignedInUser>>
  },
): Promise<void> {
  const connections = [...hub.connections()]
  if (connections.length === 0) return
  const open = await current.openAmong([...new Set(connections.map(({ user }) => user.sessionId))])
  const people = await current.peopleOf([...new Set(connections.map(({ userId }) => userId))])
  hub.closeWhere(({ user }) => !open.has(user.sessionId), { error: 'auth.ended' })
  // Rights that changed, or a session that looks on as somebody else from now on, or no more.
  const isOutdated = ({ userId, user }: { userId: string; user: HubUser }) =>
    rightsOf(people.get(userId)) !== rightsOf(user.person) || open.get(user.sessionId) !== userId
  // Told before it is closed: a page comes back only after some seconds, and should know at once.
  const told: HubEnvelope = { method: HUB_METHODS.userChanged, message: {} }
  for (const { connectionId, userId, user } of hub.connections())
    if (isOutdated({ userId, user })) hub.send(to.connection(connectionId), 'send', told)
  hub.closeWhere(isOutdated, { allowReconnect: true })
}

/** What a connection was opened on; a person who merely has another name stays connected. */
function rightsOf(person: SignedInUser | undefined): string {
  return JSON.stringify(person ? [person.id, person.username, person.roles, person.rules] : null)
}
