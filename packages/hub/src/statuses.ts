import type { ConnectionState } from './connection.ts'
import type { Purpose, TransportKind } from './types.ts'

/** One request, reduced to what decides its answer. */
export interface Ask {
  endpoint: 'negotiate' | 'hub'
  method: string
  id: string | null
  /** What a GET is after. */
  wants: 'upgrade' | 'events' | 'poll'
}

/** The connection that the id names, as far as it decides. */
export interface Found {
  state: ConnectionState
  transport: TransportKind | null
  userId: string
}

/** What to do, or the status and the neutral text that refuse it. */
export type Verdict =
  | { do: 'negotiate' | 'open' | 'connect' | 'poll' | 'send' | 'end' }
  | { refuse: 400 | 403 | 404 | 405 | 409; text: string }

/** What the request is for; the application's authentication is told. */
export function purposeOf(ask: Ask): Purpose {
  if (ask.endpoint === 'negotiate') return 'negotiate'
  if (ask.method === 'POST') return 'send'
  if (ask.method === 'DELETE') return 'end'
  return ask.wants === 'poll' ? 'poll' : 'connect'
}

const notFound: Verdict = { refuse: 404, text: 'No connection with this id.' }
const wrongTransport: Verdict = { refuse: 400, text: 'The connection uses another transport.' }

/**
 * Decides what an authenticated request gets. The order is part of the contract: id given, id known, right user,
 * right transport, right state.
 */
export function decide(
  ask: Ask,
  found: Found | undefined,
  userId: string,
  offered: readonly TransportKind[],
): Verdict {
  if (ask.endpoint === 'negotiate')
    return ask.method === 'POST' ? { do: 'negotiate' } : { refuse: 405, text: 'Use POST.' }
  if (!['GET', 'POST', 'DELETE'].includes(ask.method))
    return { refuse: 405, text: 'Use GET, POST or DELETE.' }
  if (ask.id === null) {
    if (ask.method !== 'GET' || ask.wants !== 'upgrade') return { refuse: 400, text: 'The id is missing.' }
    return offered.includes('WebSockets') ? { do: 'open' } : wrongTransport
  }
  if (!found || found.state === 'gone') return notFound
  if (found.userId !== userId) return { refuse: 403, text: '' }
  // What is ending can only be polled empty or ended for good.
  if (found.state === 'closing') return decideEnding(ask, found)
  switch (ask.method) {
    case 'POST':
      return decidePost(found)
    case 'DELETE':
      return found.transport === 'LongPolling' ? { do: 'end' } : wrongTransport
    default:
      return decideGet(ask, found, offered)
  }
}

function decideEnding(ask: Ask, found: Found): Verdict {
  if (found.transport !== 'LongPolling') return notFound
  if (ask.method === 'GET' && ask.wants === 'poll') return { do: 'poll' }
  return ask.method === 'DELETE' ? { do: 'end' } : notFound
}

function decidePost(found: Found): Verdict {
  if (found.transport === 'WebSockets') return { refuse: 405, text: 'Send over the WebSocket.' }
  return found.transport === null ? { refuse: 409, text: 'The connection has not started.' } : { do: 'send' }
}

function decideGet(ask: Ask, found: Found, offered: readonly TransportKind[]): Verdict {
  const kinds = { upgrade: 'WebSockets', events: 'ServerSentEvents', poll: 'LongPolling' } as const
  const kind = kinds[ask.wants]
  if (!offered.includes(kind)) return wrongTransport
  if (kind === 'LongPolling') return (found.transport ?? kind) === kind ? { do: 'poll' } : wrongTransport
  if (found.transport === null) return { do: 'connect' }
  return found.transport === kind
    ? { refuse: 409, text: 'The connection has started already.' }
    : wrongTransport
}
