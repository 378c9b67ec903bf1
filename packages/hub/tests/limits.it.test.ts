import { connect as connectTcp } from 'node:net'
import { describe, expect, test } from 'vitest'
import { methodOf, to } from '../src/types.ts'
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
import { sleep, startHub, type TestUser, until } from './support/server.ts'

const call = (id: string, target = 'Echo', ...args: unknown[]) => ({
  type: 1,
  target,
  arguments: target === 'Echo' ? [id] : args,
  invocationId: id,
})

describe('slow consumers', () => {
  const big = 'x'.repeat(20_000)

  test('a WebSocket that reads nothing is ended; the others get everything', async () => {
    const t = await startHub({ limits: { outputBytes: 256 * 1024 } })
    const slow = await openHub(t.url, 'slow')
    const fast = await openHub(t.url, 'fast')
    slow.socket.pause()
    // The kernel takes some megabytes before anything waits here.
    for (let i = 0; i < 600; i += 1) {
      t.hub.send(to.all, 'send', i, big)
      // Both clients share this process with the hub: the fast one must get its turn to be fast.
      if (i % 10 === 0) await until(() => fast.received.length >= i - 10, 'the fast one')
    }
    await until(() => fast.received.length === 600, 'all messages')
    expect(t.hub.metrics().closed.slowConsumer).toBe(1)
    expect([...t.hub.connections()].map((one) => one.userId)).toEqual(['fast'])
    expect(t.seen).toContain('-slow slowConsumer')
    slow.socket.resume()
    // No good end: the client must know that it missed something.
    expect((await slow.closed).code).toBe(1006)
    fast.socket.terminate()
    await t.close()
  })

  test('so is an event stream', async () => {
    const t = await startHub({ limits: { outputBytes: 256 * 1024 } })
    const events = await openEvents(t.url, await newId(t.url))
    await post(t.url, events.id, handshake)
    events.response.pause()
    for (let i = 0; i < 900 && t.hub.metrics().closed.slowConsumer === 0; i += 1) {
      t.hub.send(to.all, 'send', i, big)
      if (i % 20 === 0) await sleep(1)
    }
    expect(t.hub.metrics().closed.slowConsumer).toBe(1)
    events.destroy()
    await t.close()
  })

  test('output that makes no progress for 10 s ends the connection though it is not much', async () => {
    const t = await startHub({ limits: { outputBytes: 64 * 1024 * 1024, keepAliveMs: 1e9 } })
    const slow = await openHub(t.url, 'slow')
    slow.socket.pause()
    for (let i = 0; i < 900 && t.hub.metrics().queuedBytes < 100_000; i += 1) {
      t.hub.send(to.all, 'send', i, big)
      await sleep(0)
    }
    expect(t.hub.metrics().queuedBytes).toBeGreaterThan(0)
    await t.clock.advance(8_000)
    expect(t.hub.metrics().connections.WebSockets).toBe(1)
    await t.clock.advance(5_000)
    expect(t.hub.metrics().closed.sendStuck).toBe(1)
    slow.socket.terminate()
    await t.close()
  })

  test('a poll queue that runs over is given up for one Close record', async () => {
    const t = await startHub()
    const id = await openPolling(t.url)
    for (let i = 0; i < 1000; i += 1) t.hub.send(to.all, 'send', i)
    await sleep(20)
    expect(t.hub.metrics().closed.slowConsumer).toBe(0)
    t.hub.send(to.all, 'send', 'one too many')
    await until(() => t.hub.metrics().closed.slowConsumer === 1, 'the end')
    expect(records(await (await poll(t.url, id)).text())).toEqual([
      { type: 7, error: 'Connection closed with an error.', allowReconnect: true },
    ])
    expect((await poll(t.url, id)).status).toBe(204)
    await t.close()
  })

  test('much at once is no slowness', async () => {
    const t = await startHub()
    const socket = await openHub(t.url)
    const events = await openEvents(t.url, await newId(t.url))
    await post(t.url, events.id, handshake)
    const id = await openPolling(t.url)
    const waiting = poll(t.url, id)
    await sleep(20)
    for (let i = 0; i < 3000; i += 1) t.hub.send(to.all, 'send', i)
    const polled = records(await (await waiting).text())
    await until(() => socket.received.length === 3000 && events.records().length === 3001, 'all messages')
    const numbers = (got: unknown[]) => got.map((r) => (r as { arguments: number[] }).arguments[0])
    const expected = Array.from({ length: 3000 }, (_, i) => i)
    expect(numbers(socket.received)).toEqual(expected)
    expect(numbers(events.records().slice(1))).toEqual(expected)
    expect(numbers(polled)).toEqual(expected)
    // A flood shares units.
    expect(socket.units.length).toBeLessThan(100)
    socket.socket.terminate()
    events.destroy()
    await t.close()
  })

  test('what was sent before a close arrives before it', async () => {
    const t = await startHub()
    const socket = await openHub(t.url)
    const events = await openEvents(t.url, await newId(t.url))
    await post(t.url, events.id, handshake)
    for (let i = 0; i < 500; i += 1) t.hub.send(to.all, 'send', 'x'.repeat(1000))
    t.hub.closeUser('ann')
    await Promise.all([socket.closed, events.ended])
    expect(socket.received).toHaveLength(501)
    expect(socket.received.at(-1)).toEqual({ type: 7 })
    expect(events.records()).toHaveLength(502)
    expect(events.records().at(-1)).toEqual({ type: 7 })
    await t.close()
  })

  test('one record bigger than the bound still passes', async () => {
    const t = await startHub({ limits: { outputBytes: 100_000 } })
    const socket = await openHub(t.url)
    t.hub.send(to.all, 'send', 'x'.repeat(8_000_000))
    await until(() => socket.received.length === 1, 'the big record')
    socket.socket.terminate()
    await t.close()
  })

  test('who does not read its completions gets no further calls served', async () => {
    const t = await startHub()
    const id = await openPolling(t.url)
    const body = Array.from({ length: 900 }, (_, i) => record(call(String(i)))).join('')
    expect((await post(t.url, id, body)).status).toBe(200)
    await sleep(50)
    const first = records(await (await poll(t.url, id)).text())
    expect(first.length).toBeLessThan(300)
    let rest = 900 - first.length
    while (rest > 0) rest -= records(await (await poll(t.url, id)).text()).length
    await t.close()
  })
})

describe('input', () => {
  test('a POST is answered only when enough of what waits was served', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const t = await startHub({
      limits: { inputRecords: 10 },
      methods: {
        Hold: methodOf<TestUser>()({ args: { parse: () => [] }, handle: () => held }),
      },
    })
    const id = await openPolling(t.url)
    let answered = false
    const posting = post(
      t.url,
      id,
      Array.from({ length: 20 }, (_, i) => record(call(String(i), 'Hold'))).join(''),
    ).then(() => (answered = true))
    await sleep(50)
    expect(answered).toBe(false)
    release()
    await posting
    await t.close()
  })

  test('a WebSocket is not read while too much waits, and then goes on', async () => {
    const t = await startHub({ limits: { inputRecords: 10 } })
    const socket = await openHub(t.url)
    const big = 'x'.repeat(30_000)
    for (let i = 0; i < 150; i += 1) socket.send(call(String(i), 'Later', 2, big))
    await sleep(100)
    expect(t.hub.metrics().recordsReceived).toBeLessThan(140)
    await until(() => socket.received.length === 150, 'all completions')
    expect(t.hub.metrics().recordsReceived).toBe(151)
    socket.socket.terminate()
    await t.close()
  })

  test('too many records of one user end the connection, whichever it uses', async () => {
    const t = await startHub({ limits: { recordBurst: 100, recordsPerSecond: 10 } })
    const one = await openHub(t.url)
    const two = await openHub(t.url)
    one.send(...Array.from({ length: 60 }, (_, i) => call(String(i))))
    await until(() => one.received.length === 60)
    two.send(...Array.from({ length: 60 }, (_, i) => call(String(i))))
    await two.closed
    expect(two.received.at(-1)).toMatchObject({ type: 7, allowReconnect: true })
    expect(t.hub.metrics().closed.tooManyRecords).toBe(1)
    const other = await openHub(t.url, 'bob')
    await t.clock.advance(5_000)
    one.send(call('again'))
    await until(() => one.received.length === 61)
    one.socket.terminate()
    other.socket.terminate()
    await t.close()
  })

  test('too many streams are refused', async () => {
    const t = await startHub({ limits: { streamsPerConnection: 2 } })
    const socket = await openHub(t.url)
    for (const id of ['a', 'b', 'c'])
      socket.send({ type: 4, target: 'Forever', arguments: [], invocationId: id })
    await until(() => socket.received.some((r) => (r as { error?: string }).error === 'Too many streams.'))
    socket.send({ type: 5, invocationId: 'a' }, { type: 5, invocationId: 'nobody' })
    await until(() => socket.received.some((r) => JSON.stringify(r) === '{"type":3,"invocationId":"a"}'))
    socket.socket.terminate()
    await until(() => t.seen.filter((line) => line === 'forever ended').length === 2, 'both streams to end')
    await t.close()
  })

  test('hostile records close one connection and nothing else', async () => {
    const t = await startHub()
    const good = await openHub(t.url, 'good')
    const bad = [
      'x',
      '[]',
      '{}',
      'null',
      '{"type":1}',
      '{"type":"1"}',
      `{"type":1,"target":"Echo","arguments":[],"invocationId":{}}`,
      '['.repeat(10_000),
      '{"type":2,"invocationId":"1"}',
    ]
    for (const text of bad) {
      const socket = await openHub(t.url, 'evil')
      socket.socket.send(`${text}\u001e`)
      await socket.closed
    }
    const binary = await openHub(t.url, 'evil')
    binary.socket.send(Buffer.from([0xff, 0x00, 0x1e]))
    await binary.closed
    expect(t.hub.metrics().closed.protocolError).toBe(bad.length + 1)
    const strange = await openHub(t.url, 'strange')
    strange.send({ type: 99 }, { type: 8, sequenceId: 1 }, { type: 3, invocationId: 'nobody', result: 1 })
    strange.socket.send(
      '{"type":1,"target":"Echo","arguments":[{"__proto__":{"admin":true}}],"invocationId":"1"}\u001e',
    )
    await until(() => strange.received.length === 1)
    expect(JSON.stringify(strange.received)).toContain('"admin":true')
    expect({}).not.toHaveProperty('admin')
    good.send(call('1'))
    await until(() => good.received.length === 1)
    good.socket.terminate()
    strange.socket.terminate()
    await t.close()
  })

  test('a socket that breaks during the upgrade harms nobody', async () => {
    const t = await startHub()
    const port = Number(new URL(t.url).port)
    for (let i = 0; i < 5; i += 1) {
      const socket = connectTcp(port, '127.0.0.1')
      socket.write(
        'GET /hub?access_token=slow.ann HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      )
      await sleep(15)
      socket.resetAndDestroy()
    }
    const pending = () => t.hub.metrics().pending.unused + t.hub.metrics().pending.started
    await until(() => pending() === 0, 'the end of each')
    await t.close()
  })
})

describe('bounds', () => {
  test('unused ids and connections of one user; of everybody', async () => {
    const t = await startHub({ limits: { unusedPerUser: 3, connectionsPerUser: 5, connections: 6 } })
    for (let i = 0; i < 3; i += 1) await newId(t.url)
    await expect(negotiate(t.url)).rejects.toThrow('429')
    await t.clock.advance(16_000)
    const sockets = []
    for (let i = 0; i < 5; i += 1) sockets.push(await openSocket(t.url))
    await expect(negotiate(t.url)).rejects.toThrow('429')
    expect((await upgradeStatus(t.url, bearer('ann'))).status).toBe(429)
    await newId(t.url, 'bob')
    await expect(negotiate(t.url, 'cat')).rejects.toThrow('503')
    for (const { socket } of sockets) socket.terminate()
    await until(() => t.hub.metrics().pending.started === 0)
    await newId(t.url, 'cat')
    await t.close()
  })

  test('a Close that is not answered ends by force', async () => {
    const t = await startHub()
    const socket = await openHub(t.url)
    socket.socket.pause()
    t.hub.closeUser('ann')
    await t.clock.advance(3_000)
    expect(t.hub.metrics().pending.closing).toBe(1)
    await t.clock.advance(3_000)
    expect(t.hub.metrics().pending.closing).toBe(0)
    socket.socket.resume()
    await socket.closed
    expect(socket.received).toEqual([{ type: 7 }])
    await t.close()
  })
})

describe('shutdown', () => {
  test('drain: 503, leave to come back for all, then an end by force', async () => {
    const t = await startHub()
    const good = await openHub(t.url, 'good')
    const stuck = await openHub(t.url, 'stuck')
    stuck.socket.pause()
    const id = await openPolling(t.url, 'poller')
    const waiting = poll(t.url, id, 'poller')
    const events = await openEvents(t.url, await newId(t.url))
    await post(t.url, events.id, handshake)
    await sleep(20)
    let done = false
    const draining = t.hub.drain().then(() => (done = true))
    await expect(negotiate(t.url)).rejects.toThrow('503')
    expect((await upgradeStatus(t.url, bearer('ann'))).status).toBe(503)
    await good.closed
    expect(good.received).toEqual([{ type: 7, allowReconnect: true }])
    expect(records(await (await waiting).text())).toEqual([{ type: 7, allowReconnect: true }])
    expect((await poll(t.url, id, 'poller')).status).toBe(204)
    await events.ended
    expect(events.records()).toEqual([{}, { type: 7, allowReconnect: true }])
    expect(done).toBe(false)
    await t.clock.advance(6_000)
    await draining
    expect(t.hub.metrics().pending).toEqual({ unused: 0, started: 0, closing: 0 })
    stuck.socket.terminate()
    await t.close()
  })

  test('closing the server ends everything by itself', async () => {
    const t = await startHub()
    const socket = await openHub(t.url)
    const id = await openPolling(t.url)
    const waiting = poll(t.url, id)
    await sleep(20)
    await t.close()
    await socket.closed
    expect(socket.received).toEqual([{ type: 7, allowReconnect: true }])
    expect((await waiting).status).toBe(200)
  })
})
