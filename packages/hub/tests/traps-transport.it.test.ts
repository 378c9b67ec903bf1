import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bearer,
  handshake,
  negotiate,
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
import { to } from '../src/types.ts'

/** What hubs written in a hurry get wrong, 1 to 7: units, keep-alive, polls, ids, the handshake. */

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

describe('1: a limit for the record is no limit for the unit', () => {
  const unit = Array.from({ length: 1000 }, (_, i) => record(invoke('Echo', String(i), 'x'.repeat(40)))).join(
    '',
  )

  test('a unit of 100 kB over a WebSocket', async () => {
    const socket = await openHub(t.url)
    socket.socket.send(unit)
    await until(() => socket.received.length === 1000, 'all completions')
    expect(socket.received.map((r) => Number((r as { invocationId: string }).invocationId))).toEqual(
      Array.from({ length: 1000 }, (_, i) => i),
    )
    socket.socket.terminate()
  })

  test('and by POST', async () => {
    const id = await openPolling(t.url)
    expect((await post(t.url, id, unit)).status).toBe(200)
    let got: unknown[] = []
    while (got.length < 1000) got = [...got, ...records(await (await poll(t.url, id)).text())]
    expect(got.map((r) => (r as { invocationId: string }).invocationId)).toEqual(
      Array.from({ length: 1000 }, (_, i) => String(i)),
    )
  })

  test('a record over 32 KiB ends the connection, with leave to come back', async () => {
    const socket = await openHub(t.url)
    socket.send(invoke('Echo', '1', 'x'.repeat(33_000)))
    expect((await socket.closed).code).toBe(1000)
    expect(socket.received).toEqual([
      { type: 7, error: 'Connection closed with an error.', allowReconnect: true },
    ])
  })

  test('so does a record that never ends', async () => {
    const socket = await openHub(t.url)
    for (let i = 0; i < 40; i += 1) socket.socket.send('x'.repeat(1000))
    await socket.closed
    expect(socket.received.at(-1)).toMatchObject({ type: 7, allowReconnect: true })
  })

  test('a message over 1 MiB is not even read', async () => {
    const socket = await openHub(t.url)
    socket.socket.send('x'.repeat(1024 * 1024 + 1))
    expect((await socket.closed).code).toBe(1009)
  })

  test('a record may come in pieces', async () => {
    const socket = await openHub(t.url)
    const text = record(invoke('Echo', '1', 'é'))
    for (const piece of [text.slice(0, 9), text.slice(9, 30), text.slice(30)]) socket.socket.send(piece)
    await until(() => socket.received.length > 0)
    expect(socket.received).toEqual([{ type: 3, invocationId: '1', result: 'é' }])
    socket.socket.terminate()
  })
})

describe('2: only hub messages keep a client alive', () => {
  test('a WebSocket and an event stream get type 6 in the silence, a poll does not', async () => {
    const own = await startHub()
    const socket = await openHub(own.url)
    const events = await openEvents(own.url, await newId(own.url))
    await post(own.url, events.id, handshake)
    const id = await openPolling(own.url)
    const waiting = poll(own.url, id)
    await until(() => own.hub.metrics().connections.LongPolling === 1)
    await own.clock.advance(17_000)
    await until(() => socket.received.length === 1 && events.records().length === 2, 'the pings')
    expect(socket.received).toEqual([{ type: 6 }])
    expect(events.records()).toEqual([{}, { type: 6 }])
    // On a busy machine the poll may come in only after the clock has gone on: it goes on until there is an answer.
    const going = setInterval(() => void own.clock.advance(64_000), 100)
    void waiting.finally(() => clearInterval(going))
    expect(await (await waiting).text()).toBe('')
    await own.close()
  })
})

describe('3: the first poll', () => {
  test('comes back at once and empty, though records wait', async () => {
    const id = await newId(t.url)
    const first = await poll(t.url, id)
    expect([first.status, await first.text()]).toEqual([200, ''])
    await post(t.url, id, handshake + record(invoke('Echo', '1', 1)))
    await sleep(30)
    expect(records(await (await poll(t.url, id)).text())).toEqual([
      {},
      { type: 3, invocationId: '1', result: 1 },
    ])
  })
})

describe('4: dead and replaced polls', () => {
  test('a poll that died takes no data with it', async () => {
    const id = await openPolling(t.url)
    const abort = new AbortController()
    const dead = poll(t.url, id, 'ann', abort.signal).catch(() => 'aborted')
    await sleep(30)
    abort.abort()
    expect(await dead).toBe('aborted')
    await sleep(30)
    await post(t.url, id, record(invoke('Echo', '1', 1)))
    expect(records(await (await poll(t.url, id)).text())).toHaveLength(1)
  })

  test('nor one that died while its token was checked', async () => {
    const id = await openPolling(t.url)
    await post(t.url, id, record(invoke('Echo', '1', 1)))
    const abort = new AbortController()
    const dead = poll(t.url, id, 'slow.ann', abort.signal).catch(() => 'aborted')
    await sleep(20)
    abort.abort()
    expect(await dead).toBe('aborted')
    await sleep(80)
    expect(records(await (await poll(t.url, id)).text())).toHaveLength(1)
  })

  test('a newer poll sends the older one away with 204 and gets the data', async () => {
    const id = await openPolling(t.url)
    const older = poll(t.url, id)
    await sleep(30)
    const newer = poll(t.url, id)
    expect((await older).status).toBe(204)
    await post(t.url, id, record(invoke('Echo', '1', 1)))
    expect(records(await (await newer).text())).toHaveLength(1)
  })

  test('newer is who came later, not whose token was checked later', async () => {
    const id = await openPolling(t.url)
    const older = poll(t.url, id, 'slow.ann')
    await sleep(20)
    const newer = poll(t.url, id)
    expect((await older).status).toBe(204)
    await post(t.url, id, record(invoke('Echo', '1', 1)))
    expect((await newer).status).toBe(200)
  })

  test('nothing is lost between polls', async () => {
    const id = await openPolling(t.url)
    await post(t.url, id, record(invoke('Who', null)) + record(invoke('Join', '0', `room-${id}`)))
    let got: unknown[] = records(await (await poll(t.url, id)).text())
    for (let i = 0; i < 20; i += 1) {
      t.hub.send(to.group(`room-${id}`), 'send', i)
      if (i % 5 === 0) await sleep(5)
    }
    while (got.length < 21) got = [...got, ...records(await (await poll(t.url, id)).text())]
    expect(got.slice(1).map((r) => (r as { arguments: number[] }).arguments[0])).toEqual(
      Array.from({ length: 20 }, (_, i) => i),
    )
  })
})

describe('5: the end of long polling', () => {
  test('by the server: the record, then 204, then unknown', async () => {
    const id = await openPolling(t.url, 'eve')
    t.hub.closeUser('eve', { error: 'Gone.' })
    expect(records(await (await poll(t.url, id, 'eve')).text())).toEqual([{ type: 7, error: 'Gone.' }])
    expect((await poll(t.url, id, 'eve')).status).toBe(204)
    expect((await poll(t.url, id, 'eve')).status).toBe(404)
  })

  test('by the client: its waiting poll gets 204', async () => {
    const id = await openPolling(t.url)
    const waiting = poll(t.url, id)
    await sleep(30)
    const gone = await fetch(`${t.url}?id=${id}`, { method: 'DELETE', headers: bearer('ann') })
    expect([gone.status, (await waiting).status]).toEqual([202, 204])
    expect((await poll(t.url, id)).status).toBe(404)
  })
})

describe('6: ids', () => {
  test('the public id is no key, and version 0 works over every transport', async () => {
    const { connectionId } = await negotiate(t.url)
    expect((await poll(t.url, connectionId)).status).toBe(404)
    expect((await upgradeStatus(`${t.url}?id=${connectionId}`, bearer('ann'))).status).toBe(404)
    const old = await negotiate(t.url, 'ann', null)
    const socket = await openHub(t.url, 'ann', old.connectionId)
    socket.send(invoke('Who', '1'))
    await until(() => socket.received.length > 0)
    expect(socket.received).toEqual([{ type: 3, invocationId: '1', result: 'ann' }])
    const [info] = [...t.hub.connections()].filter((one) => one.connectionId === old.connectionId)
    expect(info).toBeUndefined()
    socket.socket.terminate()
  })
})

describe('7: the handshake answer', () => {
  test('is {} alone, and whole records share no border', async () => {
    const socket = await openSocket(t.url)
    socket.socket.send(handshake + record(invoke('Echo', '1', 'x')))
    await until(() => socket.received.length === 2)
    expect(socket.units[0]).toBe('{}\u001e')
    expect(socket.units.every((unit) => unit.endsWith('\u001e'))).toBe(true)
    socket.socket.terminate()
  })

  test('refuses with an error, then ends', async () => {
    for (const [text, error] of [
      [record({ protocol: 'messagepack', version: 1 }), "The protocol 'messagepack' is not supported."],
      [
        record({ protocol: 'json', version: 9 }),
        "The server does not support version 9 of the 'json' protocol.",
      ],
      [record({ type: 6 }), 'An unexpected error occurred during connection handshake.'],
      ['\u001e', 'An unexpected error occurred during connection handshake.'],
      ['x'.repeat(40_000), 'Handshake was canceled.'],
    ] as const) {
      const socket = await openSocket(t.url)
      socket.socket.send(text)
      await socket.closed
      expect(socket.received).toEqual([{ error }])
    }
    const id = await newId(t.url)
    await poll(t.url, id)
    await post(t.url, id, record({ protocol: 'x', version: 1 }))
    expect(records(await (await poll(t.url, id)).text())).toEqual([
      { error: "The protocol 'x' is not supported." },
    ])
    expect((await poll(t.url, id)).status).toBe(204)
  })

  test('nothing comes before it', async () => {
    const socket = await openSocket(t.url)
    t.hub.send(to.all, 'send', 1)
    t.hub.send(to.user('ann'), 'send', 2)
    await sleep(30)
    expect(socket.received).toEqual([])
    socket.socket.terminate()
  })
})
