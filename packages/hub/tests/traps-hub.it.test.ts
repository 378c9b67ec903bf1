import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  handshake,
  newId,
  openEvents,
  openHub,
  openPolling,
  openSocket,
  poll,
  post,
  record,
  records,
  upgradeStatus,
} from './support/raw.ts'
import { sleep, startHub, type TestHub, until } from './support/server.ts'

/** What hubs written in a hurry get wrong, 8 to 14: calls, closing, order, tokens, leftovers. */

let t: TestHub
beforeAll(async () => {
  t = await startHub()
})
afterAll(() => t.close())

const invoke = (target: string, id: string | null, ...args: unknown[]) => ({
  type: 1,
  target,
  arguments: args,
  ...(id === null ? {} : { invocationId: id }),
})

describe('8: completions', () => {
  test('exactly one for a call with an id, its id unchanged, none without', async () => {
    const socket = await openHub(t.url)
    socket.send(
      invoke('Nothing', 'a b"c'),
      invoke('Null', '2'),
      invoke('Echo', null, 1),
      invoke('Fail', null),
      invoke('NoSuch', null),
      invoke('Fail', '3'),
      invoke('FailOpenly', '4'),
      invoke('NoSuch', '5'),
      invoke('PingPong', '6', 'Pong'),
      invoke('Unspeakable', '7'),
      invoke('Count', '8', 1),
      { type: 4, target: 'Echo', arguments: [1], invocationId: '9' },
      invoke('Echo', '10', 'last'),
    )
    await until(() => socket.received.some((r) => (r as { invocationId?: string }).invocationId === '10'))
    expect(socket.received).toEqual([
      { type: 3, invocationId: 'a b"c' },
      { type: 3, invocationId: '2', result: null },
      { type: 3, invocationId: '3', error: "An unexpected error occurred invoking 'Fail' on the server." },
      {
        type: 3,
        invocationId: '4',
        error:
          "An unexpected error occurred invoking 'FailOpenly' on the server. HubException: The cupboard is bare.",
      },
      { type: 3, invocationId: '5', error: "Unknown hub method 'NoSuch'" },
      { type: 3, invocationId: '6', error: "Failed to invoke 'PingPong' due to an error on the server." },
      {
        type: 3,
        invocationId: '7',
        error: "An unexpected error occurred invoking 'Unspeakable' on the server.",
      },
      { type: 3, invocationId: '8', error: expect.stringContaining('stream') },
      { type: 3, invocationId: '9', error: expect.stringContaining('stream') },
      { type: 3, invocationId: '10', result: 'last' },
    ])
    socket.socket.terminate()
  })

  test('a message of the server has no invocation id', async () => {
    const socket = await openHub(t.url)
    socket.send(invoke('PingPong', '1', 'Ping'))
    await until(() => socket.received.length === 2)
    expect(socket.received[0]).toEqual({
      type: 1,
      target: 'send',
      arguments: [{ method: 'pingPong', message: 'Pong' }],
    })
    socket.socket.terminate()
  })
})

describe('9: the client timeout', () => {
  test('begins with the first ping, waits for a running call, and never applies to long polling', async () => {
    const own = await startHub()
    const quiet = await openHub(own.url, 'quiet')
    const pinged = await openHub(own.url, 'pinged')
    const busy = await openHub(own.url, 'busy')
    pinged.send({ type: 6 })
    busy.send({ type: 6 }, invoke('Later', '1', 2_000, 'done'))
    const id = await openPolling(own.url, 'poller')
    await post(own.url, id, record({ type: 6 }), 'poller')
    const waiting = poll(own.url, id, 'poller')
    await until(() => own.hub.metrics().recordsReceived === 8, 'all records')
    await own.clock.advance(32_000)
    await pinged.closed
    expect(pinged.received.at(-1)).toEqual({
      type: 7,
      error: 'Connection closed with an error.',
      allowReconnect: true,
    })
    expect(own.seen).toContain('-pinged clientTimeout')
    expect([...own.hub.connections()].map((one) => one.userId).sort()).toEqual(['busy', 'poller', 'quiet'])
    await until(() => busy.received.some((r) => (r as { type: number }).type === 3))
    quiet.socket.terminate()
    busy.socket.terminate()
    await own.close()
    await waiting
  })
})

describe('10: leave to come back', () => {
  test('is given where it is wanted, and only there', async () => {
    const own = await startHub()
    const locked = await openHub(own.url, 'locked')
    own.hub.closeUser('locked', { error: 'You are locked out.' })
    await locked.closed
    expect(locked.received).toEqual([{ type: 7, error: 'You are locked out.' }])

    const left = await openHub(own.url, 'left')
    left.send({ type: 7 })
    expect((await left.closed).code).toBe(1000)
    expect(left.received).toEqual([{ type: 7 }])

    const wrong = await openHub(own.url, 'wrong')
    wrong.socket.send('nonsense\u001e')
    await wrong.closed
    expect(wrong.received).toEqual([
      { type: 7, error: 'Connection closed with an error.', allowReconnect: true },
    ])

    const drained = await openHub(own.url, 'drained')
    await own.hub.drain()
    await drained.closed
    expect(drained.received).toEqual([{ type: 7, allowReconnect: true }])
    await own.close()
  })
})

describe('11: order', () => {
  test('completions come in the order of the calls, however long each takes', async () => {
    const socket = await openHub(t.url)
    socket.send(...[40, 0, 20, 0, 5].map((ms, i) => invoke('Later', String(i), ms, ms)))
    await until(() => socket.received.length === 5)
    expect(socket.received.map((r) => (r as { invocationId: string }).invocationId)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
    ])
    socket.socket.terminate()
  })

  test('POSTs are served in the order of arrival, though their tokens take longer', async () => {
    const id = await openPolling(t.url)
    const first = post(t.url, id, record(invoke('Echo', '1', 1)), 'slow.ann')
    await sleep(20)
    const second = post(t.url, id, record(invoke('Echo', '2', 2)))
    expect([(await first).status, (await second).status]).toEqual([200, 200])
    await sleep(20)
    expect(records(await (await poll(t.url, id)).text())).toEqual([
      { type: 3, invocationId: '1', result: 1 },
      { type: 3, invocationId: '2', result: 2 },
    ])
  })

  test('a POST whose token fails holds nobody up', async () => {
    const id = await openPolling(t.url)
    expect((await post(t.url, id, record(invoke('Echo', '1', 1)), 'bad')).status).toBe(401)
    expect((await post(t.url, id, record(invoke('Echo', '2', 2)))).status).toBe(200)
  })
})

describe('12: tokens', () => {
  test('stay out of the log, and so does the key', async () => {
    const lines: string[] = []
    const own = await startHub(
      {},
      { logger: { level: 'debug', stream: { write: (line: string) => void lines.push(line) } } },
    )
    const id = await newId(own.url, 'secrettoken')
    const events = await openEvents(own.url, id, 'secrettoken')
    await post(own.url, id, handshake, 'secrettoken')
    await fetch(`${own.url}/negotiate?access_token=secrettoken`, { method: 'POST' })
    await upgradeStatus(`${own.url}?access_token=secrettoken`)
    events.destroy()
    await own.close()
    const log = lines.join('')
    expect(log).toContain('/hub?id=***')
    expect(log).not.toContain('secrettoken')
    expect(log).not.toContain(id)
  })
})

describe('13: what nobody uses', () => {
  test('unused ids and abandoned polls are forgotten', async () => {
    const own = await startHub()
    const unused = await newId(own.url)
    const id = await openPolling(own.url)
    await own.clock.advance(14_000)
    expect(own.hub.metrics()).toMatchObject({ pending: { unused: 1 }, connections: { LongPolling: 1 } })
    await own.clock.advance(3_000)
    expect(own.hub.metrics()).toMatchObject({
      pending: { unused: 0, started: 0, closing: 0 },
      connections: { LongPolling: 0 },
      closed: { unused: 1, pollGone: 1 },
    })
    expect((await poll(own.url, unused)).status).toBe(404)
    expect((await poll(own.url, id)).status).toBe(404)
    await own.close()
  })

  test('so is an ended connection that nobody polls', async () => {
    const own = await startHub()
    const id = await openPolling(own.url)
    own.hub.closeWhere(() => true)
    await own.clock.advance(14_000)
    expect(own.hub.metrics().pending.closing).toBe(1)
    await own.clock.advance(2_000)
    expect(own.hub.metrics().pending.closing).toBe(0)
    expect((await poll(own.url, id)).status).toBe(404)
    await own.close()
  })

  test('and a transport without a handshake', async () => {
    const own = await startHub()
    const socket = await openSocket(own.url)
    const id = await newId(own.url)
    await poll(own.url, id)
    const waiting = poll(own.url, id)
    await own.clock.advance(16_000)
    await socket.closed
    expect(socket.received).toEqual([{ error: 'Handshake was canceled.' }])
    expect(records(await (await waiting).text())).toEqual([{ error: 'Handshake was canceled.' }])
    expect(own.hub.metrics()).toMatchObject({ handshakesFailed: 2 })
    expect(own.seen).toEqual([])
    await own.close()
  })
})

describe('14: names', () => {
  test('what every object has is no method', async () => {
    const socket = await openHub(t.url)
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
    socket.send(...names.map((name, i) => invoke(name, String(i))))
    await until(() => socket.received.length === names.length)
    expect(socket.received.map((r) => (r as { error: string }).error)).toEqual(
      names.map((name) => `Unknown hub method '${name}'`),
    )
    socket.send(invoke('ECHO', 'x', { __proto__: null, a: 1 }))
    await until(() => socket.received.length === names.length + 1)
    expect(socket.received.at(-1)).toEqual({ type: 3, invocationId: 'x', result: { a: 1 } })
    socket.socket.terminate()
  })
})
