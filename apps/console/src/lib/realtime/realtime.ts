import type { HubConnection } from '@microsoft/signalr'
import { HUB_INVOCATIONS, changesResult } from '@weft/contract/core/events'
import { tellSocketState } from '../bus.ts'
import { freshToken } from '../session/session.ts'
import { applyChange, dispatch, type HubEffects, type Notice } from './dispatch.ts'
import { HUB_TIMES, SOCKET_STATES, socketMachine, type Socket } from './machine.ts'
import { hubSay } from './presence.ts'
import { live, noteState, retryWanted } from './state.ts'
import { watches } from './watches.ts'

const HUB_PATH = '/hub'
/** Changes are gathered for so long before what is on the page is read anew. */
const GATHER_MS = 250
/** A first connection within so long cannot have missed much of what the page has just read. */
const PROMPT_MS = 3000

/** What real time does to the rest of the console. */
export interface RealtimeOptions {
  invalidate: (features: readonly string[]) => void
  everything: () => void
  configChanged: () => void
  rightsChanged: () => void
  preferencesChanged: () => void
  notify: (notice: Notice) => void
  /** The connection was cut or refused, by whom is not known. */
  cut: () => void
  /** Something new stands in the notification centre. */
  told: () => void
}

/** Opens the live connection and keeps it; ends it with the returned function. */
export function startRealtime(options: RealtimeOptions): () => void {
  let hub: HubConnection | null = null
  let lastSeq: number | null = null
  const begun = Date.now()
  const gathered = new Set<string>()
  let gathering: ReturnType<typeof setTimeout> | undefined

  const effects: HubEffects = {
    changed: (features) => {
      for (const feature of features) gathered.add(feature)
      gathering ??= setTimeout(() => {
        gathering = undefined
        options.invalidate([...gathered])
        gathered.clear()
      }, GATHER_MS)
    },
    configChanged: options.configChanged,
    rightsChanged: options.rightsChanged,
    preferencesChanged: options.preferencesChanged,
    notify: options.notify,
    told: options.told,
    runLog: (runId, campaignId, message) => {
      watches.tell('runs', runId, message)
      if (campaignId) watches.tell('campaigns', campaignId, message)
    },
    seen: (seq) => {
      lastSeq = Math.max(lastSeq ?? 0, seq)
    },
  }

  /** What was missed while there was no connection; at the first one only where to begin counting. */
  const catchUp = async (connection: HubConnection) => {
    const first = lastSeq === null
    const after = lastSeq ?? Number.MAX_SAFE_INTEGER
    const changes = changesResult.parse(await connection.invoke(HUB_INVOCATIONS.changes, { after }))
    lastSeq = Math.max(lastSeq ?? 0, changes.latest)
    // Whoever was away may have missed that what they may do has changed.
    if (!first) options.rightsChanged()
    if (first) {
      // What the page read before may be old by now, where connecting took its time.
      if (Date.now() - begun > PROMPT_MS) options.everything()
    } else if (changes.tooOld) options.everything()
    else for (const event of changes.events) applyChange(event, effects)
  }

  const machine = socketMachine({
    now: Date.now,
    connect: async () => {
      const made = await makeConnection((argument) => {
        machine.touch()
        dispatch(argument, effects)
      })
      hub = made.connection
      return made.socket
    },
    onState: (state) => {
      noteState(state, Date.now())
      if (state !== 'open') {
        watches.lost()
        hubSay.set(null)
      }
      // A refused reconnection says as little as a cut: only the session itself knows whether it goes on.
      if (state === 'disconnect' || state === 'error') options.cut()
      tellSocketState(window, { state, number: SOCKET_STATES.indexOf(state) })
    },
    onOpen: () => {
      const connection = hub
      if (!connection) return
      const invoke = (method: string, ...args: unknown[]) =>
        void connection
          .invoke(method, ...args)
          .catch((error: unknown) => console.warn(`Hub: ${method} failed.`, error))
      watches.open({
        watch: (feature, id) => invoke(HUB_INVOCATIONS.watch, { feature, id }),
        unwatch: (feature, id) => invoke(HUB_INVOCATIONS.unwatch, { feature, id }),
      })
      hubSay.set(invoke)
      catchUp(connection).catch((error: unknown) => {
        // What was missed is not known: better read anew than show what is old.
        console.warn('Hub: the missed changes could not be read.', error)
        if (lastSeq !== null) options.everything()
      })
    },
  })

  const retry = () => machine.retryNow()
  addEventListener('online', retry)
  const stops = [
    retryWanted.on(retry),
    () => removeEventListener('online', retry),
    () => clearTimeout(gathering),
  ]
  machine.start()
  return () => {
    machine.stop()
    for (const stop of stops) stop()
    live.set({ state: 'close', lostSince: null })
  }
}

async function makeConnection(
  onSend: (argument: unknown) => void,
): Promise<{ connection: HubConnection; socket: Socket }> {
  const { HubConnectionBuilder, LogLevel } = await import('@microsoft/signalr')
  const connection = new HubConnectionBuilder()
    .withUrl(HUB_PATH, { accessTokenFactory: async () => (await freshToken()) ?? '' })
    .configureLogging(LogLevel.None)
    .build()
  connection.serverTimeoutInMilliseconds = HUB_TIMES.serverTimeoutMs
  connection.on('send', onSend)
  return {
    connection,
    socket: {
      start: () => connection.start(),
      stop: () => connection.stop(),
      ping: () => connection.invoke(HUB_INVOCATIONS.ping, 'Ping'),
      onClosed: (listener) => connection.onclose(() => listener()),
    },
  }
}
