import { HttpTransportType, HubConnectionState, Subject } from '@microsoft/signalr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HubError, to } from '../src/types.ts'
import { connect, TRANSPORTS_OF_CLIENT } from './support/client.ts'
import { startHub, type TestHub, until } from './support/server.ts'

let t: TestHub
beforeAll(async () => {
  t = await startHub()
})
afterAll(() => t.close())

describe.each(TRANSPORTS_OF_CLIENT)('the official client in Node over %s', (name, transport) => {
  test('connects, calls, is called, and leaves', async () => {
    const user = `caller-${name}`
    const client = connect(t.url, { transport, token: user })
    const messages: unknown[] = []
    client.on('send', (message) => void messages.push(message))
    await client.start()
    expect([...t.hub.connections()].find((one) => one.userId === user)).toMatchObject({
      transport: name,
      connectionId: client.connectionId,
      user: { name: user },
    })
    expect(await client.invoke('PingPong', 'Ping')).toBe('Pong')
    await until(() => messages.length === 1)
    expect(messages).toEqual([{ method: 'pingPong', message: 'Pong' }])
    expect(await client.invoke('Echo', { deep: ['é', '😀', '\u2028', null] })).toEqual({
      deep: ['é', '😀', '\u2028', null],
    })
    expect(await client.invoke('Nothing')).toBeUndefined()
    expect(await client.invoke('Null')).toBeNull()
    await client.send('Echo', 1)
    await client.stop()
    await until(() => t.seen.includes(`-${user} client`), 'the farewell')
    expect(t.seen.filter((line) => line.endsWith(user) || line.includes(`${user} `))).toEqual([
      `+${user}`,
      `-${user} client`,
    ])
  })

  test('errors reject the call and leave the connection alone', async () => {
    const client = connect(t.url, { transport })
    await client.start()
    await expect(client.invoke('NoSuch')).rejects.toThrow("Unknown hub method 'NoSuch'")
    await expect(client.invoke('Fail')).rejects.toThrow(/^(?!.*SELECT).*Fail/)
    await expect(client.invoke('FailOpenly')).rejects.toThrow('The cupboard is bare.')
    await expect(client.invoke('PingPong', 'Pong')).rejects.toThrow("Failed to invoke 'PingPong'")
    expect(client.state).toBe(HubConnectionState.Connected)
    await client.stop()
  })

  test('1,000 quick calls come back in order', async () => {
    const client = connect(t.url, { transport })
    await client.start()
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 1000 }, async (_, i) => {
        await client.invoke('Echo', i)
        order.push(i)
      }),
    )
    expect(order).toEqual(Array.from({ length: 1000 }, (_, i) => i))
    await client.stop()
  })

  test('streams down, until the end or until cancelled, and streams up', async () => {
    const client = connect(t.url, { transport })
    await client.start()
    const items: number[] = []
    await new Promise<void>((resolve, reject) =>
      client.stream<number>('Count', 500).subscribe({
        next: (item) => items.push(item),
        complete: resolve,
        error: reject,
      }),
    )
    expect(items).toEqual(Array.from({ length: 500 }, (_, i) => i))

    const ended = t.seen.filter((line) => line === 'forever ended').length
    await new Promise<void>((resolve) => {
      const subscription = client.stream<number>('Forever').subscribe({
        next: (item) => {
          if (item < 5) return
          subscription.dispose()
          resolve()
        },
        complete: () => undefined,
        error: () => undefined,
      })
    })
    await until(() => t.seen.filter((line) => line === 'forever ended').length === ended + 1, 'the cancel')

    await expect(
      new Promise((resolve, reject) =>
        client
          .stream('Broken')
          .subscribe({ next: () => undefined, complete: () => resolve(null), error: reject }),
      ),
    ).rejects.toThrow(/^(?!.*SELECT).*Broken/)

    const upload = new Subject<number>()
    const sum = client.invoke('Sum', upload)
    for (let i = 1; i <= 100; i += 1) upload.next(i)
    upload.complete()
    expect(await sum).toBe(5050)
    await client.stop()
  })

  test('targets: all, user, group, connection, where', async () => {
    const own = await startHub()
    const got: Record<string, unknown[]> = {}
    const clients = await Promise.all(
      ['ann', 'bob', 'cat'].map(async (token) => {
        const client = connect(own.url, { transport, token })
        got[token] = []
        client.on('send', (message) => void got[token]?.push(message))
        await client.start()
        return client
      }),
    )
    await clients[1]?.invoke('Join', 'red')
    await clients[2]?.invoke('Join', 'red')
    expect(await own.hub.groups.remove(clients[2]?.connectionId ?? '', 'red')).toBe(true)
    expect(await own.hub.groups.add('nobody', 'red')).toBe(false)
    own.hub.send(to.all, 'send', 'all')
    own.hub.send(to.user('ann'), 'send', 'user')
    own.hub.send(to.group('red'), 'send', 'group')
    own.hub.send(to.connection(clients[2]?.connectionId ?? ''), 'send', 'connection')
    own.hub.send(
      to.where((one) => one.userId !== 'bob'),
      'SEND',
      'where',
    )
    await until(() => Object.values(got).flat().length === 8, 'eight messages')
    expect(got).toEqual({
      ann: ['all', 'user', 'where'],
      bob: ['all', 'group'],
      cat: ['all', 'connection', 'where'],
    })
    await Promise.all(clients.map((client) => client.stop()))
    own.hub.send(to.group('red'), 'send', 'nobody')
    await own.close()
  })

  test('a token that ends: the client comes back by itself with a fresh one', async () => {
    const own = await startHub()
    let asked = 0
    const client = connect(own.url, {
      transport,
      token: () => {
        asked += 1
        return `ann@${own.clock.wall() + 20_000}`
      },
      reconnect: true,
    })
    const log: string[] = []
    client.onreconnecting((error) => void log.push(`reconnecting ${error?.message ?? 'without an error'}`))
    client.onreconnected(() => void log.push('reconnected'))
    client.onclose(() => void log.push('closed'))
    await client.start()
    const before = asked
    await own.clock.advance(12_000)
    expect(log).toEqual([])
    await own.clock.advance(6_000)
    await until(() => log.includes('reconnected'), 'the comeback')
    expect(log).toEqual([expect.stringContaining('reconnecting'), 'reconnected'])
    expect(asked).toBeGreaterThan(before)
    expect(own.hub.metrics().closed.tokenEnded).toBe(1)
    expect(await client.invoke('Who')).toBe('ann')
    await client.stop()
    await own.close()
  })

  test('a user shut out stays out, with the reason; a drained one comes back', async () => {
    const own = await startHub()
    const out = connect(own.url, { transport, token: 'out', reconnect: true })
    const back = connect(own.url, { transport, token: 'back', reconnect: true })
    const log: string[] = []
    out.onclose((error) => void log.push(`out: ${error?.message}`))
    out.onreconnecting(() => void log.push('out reconnects'))
    back.onreconnected(() => void log.push('back'))
    await Promise.all([out.start(), back.start()])
    own.hub.closeUser('out', { error: 'You are locked out.' })
    expect(own.hub.closeWhere((one) => one.userId === 'back', { allowReconnect: true })).toBe(1)
    await until(() => log.length === 2, 'both')
    expect(log.sort()).toEqual(['back', 'out: Server returned an error on close: You are locked out.'])
    expect([...own.hub.connections()].map((one) => one.userId)).toEqual(['back'])
    await back.stop()
    await own.close()
  })

  test('a bad token fails the start', async () => {
    await expect(connect(t.url, { transport, token: 'bad' }).start()).rejects.toThrow(/401|Unauthorized/)
  })

  test('a redirect is followed with its own token', async () => {
    const own = await startHub({
      redirect: (identity) =>
        identity.userId === 'ann' ? { url: `${own.url}?from=ann`, accessToken: 'ticket' } : undefined,
    })
    const client = connect(own.url, { transport, token: 'ann' })
    await client.start()
    expect(await client.invoke('Who')).toBe('ticket')
    await client.stop()
    await own.close()
  })
})

test('without negotiation, over WebSockets', async () => {
  const client = connect(t.url, { transport: HttpTransportType.WebSockets, skipNegotiation: true })
  await client.start()
  expect(await client.invoke('PingPong', 'Ping')).toBe('Pong')
  await client.stop()
})

test('a client falls back when a transport is not offered', async () => {
  const own = await startHub({ transports: ['LongPolling'] })
  const client = connect(own.url, {})
  await client.start()
  expect([...own.hub.connections()][0]?.transport).toBe('LongPolling')
  await client.stop()
  await own.close()
})

test('onConnected that throws on purpose keeps the client away, by accident it may come back', async () => {
  const own = await startHub({
    onConnected: (connection) => {
      throw connection.userId === 'ann' ? new HubError('Not today.') : new Error('the database is down')
    },
  })
  const closed: string[] = []
  for (const token of ['ann', 'bob']) {
    const client = connect(own.url, { transport: HttpTransportType.WebSockets, token })
    client.onclose((error) => void closed.push(String(error)))
    // The end may come before the start is through.
    await client.start().catch((err: unknown) => closed.push(String(err)))
  }
  await until(() => closed.length === 2)
  expect(closed.join()).toContain('Not today.')
  expect(closed.join()).not.toContain('database')
  await until(() => own.seen.length === 2, 'both farewells')
  expect(own.seen).toEqual(['-ann refusedByApp', '-bob refusedByApp'])
  await own.close()
})
