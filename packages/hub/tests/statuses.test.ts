import { describe, expect, test } from 'vitest'
import { type Ask, decide, type Found } from '../src/statuses.ts'
import { TRANSPORTS } from '../src/types.ts'

const ask = (over: Partial<Ask>): Ask => ({ endpoint: 'hub', method: 'GET', id: 'x', wants: 'poll', ...over })
const found = (over: Partial<Found> = {}): Found => ({
  state: 'new',
  transport: null,
  userId: 'ann',
  ...over,
})
const on = (transport: Found['transport']): Found => found({ state: 'open', transport })
const status = (
  a: Partial<Ask>,
  f?: Found,
  offered = TRANSPORTS as readonly (typeof TRANSPORTS)[number][],
) => {
  const verdict = decide(ask(a), f, 'ann', offered)
  return 'do' in verdict ? verdict.do : verdict.refuse
}

describe('what a request gets', () => {
  test('negotiate by POST only', () => {
    expect(status({ endpoint: 'negotiate', method: 'POST', id: null })).toBe('negotiate')
    expect(status({ endpoint: 'negotiate', method: 'GET', id: null })).toBe(405)
  })

  test('other methods', () => {
    for (const method of ['PUT', 'PATCH', 'HEAD']) expect(status({ method })).toBe(405)
  })

  test('a missing id', () => {
    expect(status({ id: null })).toBe(400)
    expect(status({ id: null, wants: 'events' })).toBe(400)
    expect(status({ id: null, method: 'POST' })).toBe(400)
    expect(status({ id: null, method: 'DELETE' })).toBe(400)
    expect(status({ id: null, wants: 'upgrade' })).toBe('open')
    expect(status({ id: null, wants: 'upgrade' }, undefined, ['LongPolling'])).toBe(400)
  })

  test('an unknown or ended id', () => {
    for (const a of [
      {},
      { method: 'POST' },
      { method: 'DELETE' },
      { wants: 'upgrade' },
      { wants: 'events' },
    ] as const) {
      expect(status(a)).toBe(404)
      expect(status(a, found({ state: 'gone' }))).toBe(404)
    }
  })

  test("another user's id, before anything is told about it", () => {
    expect(status({ method: 'POST' }, found({ userId: 'bob', state: 'open', transport: 'WebSockets' }))).toBe(
      403,
    )
  })

  test('the first transport wins, others are refused', () => {
    const kinds = { upgrade: 'WebSockets', events: 'ServerSentEvents', poll: 'LongPolling' } as const
    for (const wants of ['upgrade', 'events', 'poll'] as const) {
      expect(status({ wants }, found())).toBe(wants === 'poll' ? 'poll' : 'connect')
      expect(status({ wants }, found(), [])).toBe(400)
      for (const transport of TRANSPORTS) {
        const same = kinds[wants] === transport
        expect(status({ wants }, on(transport))).toBe(same ? (wants === 'poll' ? 'poll' : 409) : 400)
      }
    }
  })

  test('POST', () => {
    expect(status({ method: 'POST' }, found())).toBe(409)
    expect(status({ method: 'POST' }, on('WebSockets'))).toBe(405)
    expect(status({ method: 'POST' }, on('ServerSentEvents'))).toBe('send')
    expect(status({ method: 'POST' }, on('LongPolling'))).toBe('send')
  })

  test('DELETE', () => {
    expect(status({ method: 'DELETE' }, found())).toBe(400)
    expect(status({ method: 'DELETE' }, on('WebSockets'))).toBe(400)
    expect(status({ method: 'DELETE' }, on('ServerSentEvents'))).toBe(400)
    expect(status({ method: 'DELETE' }, on('LongPolling'))).toBe('end')
  })

  test('what is ending can be polled empty or ended for good', () => {
    const ending = found({ state: 'closing', transport: 'LongPolling' })
    expect(status({}, ending)).toBe('poll')
    expect(status({ method: 'DELETE' }, ending)).toBe('end')
    expect(status({ method: 'POST' }, ending)).toBe(404)
    expect(status({ wants: 'upgrade' }, ending)).toBe(404)
    expect(status({ wants: 'upgrade' }, found({ state: 'closing', transport: 'WebSockets' }))).toBe(404)
  })
})
