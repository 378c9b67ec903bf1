import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryBus } from '../src/backplane-memory.ts'
import { backplaneDdl, createPostgresBackplane, type SqlListen } from '../src/backplane-postgres.ts'
import { to } from '../src/types.ts'
import { connect } from './support/client.ts'
import { startPostgres, type TestDatabase } from './support/postgres.ts'
import {
  bearer,
  negotiate,
  newId,
  openHub,
  openPolling,
  poll,
  post,
  records,
  upgradeStatus,
} from './support/raw.ts'
import { sleep, startHub, type TestHub, until } from './support/server.ts'

const texts = (received: unknown[]): unknown[] =>
  received.map((r) => (r as { arguments?: unknown[] }).arguments?.[0] ?? r)

/** What two nodes do together, whatever carries their messages. */
function together(nodes: () => [TestHub, TestHub]): void {
  test('a message reaches its target wherever it is connected, in one order for all', async () => {
    const [a, b] = nodes()
    const onA = await openHub(a.url, 'ann')
    const onB = await openHub(b.url, 'bob')
    for (let i = 0; i < 50; i += 1) a.hub.send(to.all, 'send', i)
    a.hub.send(to.user('bob'), 'send', 'for bob')
    b.hub.send(to.user('ann'), 'send', 'for ann')
    await until(() => onA.received.length === 51 && onB.received.length === 51, 'all messages')
    const fifty = Array.from({ length: 50 }, (_, i) => i)
    expect(texts(onA.received).filter((one) => typeof one === 'number')).toEqual(fifty)
    expect(texts(onB.received)).toEqual([...fifty, 'for bob'])
    expect(texts(onA.received)).toContain('for ann')
    onA.socket.terminate()
    onB.socket.terminate()
  })

  test('a big record passes', async () => {
    const [a, b] = nodes()
    const onB = await openHub(b.url, 'big')
    a.hub.send(to.user('big'), 'send', 'é'.repeat(100_000))
    await until(() => onB.received.length === 1)
    expect(texts(onB.received)).toEqual(['é'.repeat(100_000)])
    onB.socket.terminate()
  })

  test('a connection held elsewhere joins and leaves a group', async () => {
    const [a, b] = nodes()
    const client = connect(b.url, { token: 'cat' })
    const got: unknown[] = []
    client.on('send', (message) => void got.push(message))
    await client.start()
    const id = client.connectionId ?? ''
    expect(await a.hub.groups.add(id, 'red')).toBe(true)
    a.hub.send(to.group('red'), 'send', 1)
    a.hub.send(to.connection(id), 'send', 2)
    await until(() => got.length === 2)
    expect(await a.hub.groups.remove(id, 'red')).toBe(true)
    a.hub.send(to.group('red'), 'send', 3)
    a.hub.send(to.connection(id), 'send', 4)
    await until(() => got.length === 3)
    expect(got).toEqual([1, 2, 4])
    await client.stop()
  })

  test('a user is shut out everywhere, and may be back here before the message is', async () => {
    const [a, b] = nodes()
    const onA = await openHub(a.url, 'eve')
    const onB = await openHub(b.url, 'eve')
    a.hub.closeUser('eve', { error: 'Out.' })
    const again = await openHub(a.url, 'eve')
    await Promise.all([onA.closed, onB.closed])
    for (const { received } of [onA, onB]) expect(received).toEqual([{ type: 7, error: 'Out.' }])
    await sleep(50)
    expect([...a.hub.connections()].map((one) => one.userId)).toContain('eve')
    again.socket.terminate()
  })

  test('a predicate looks at its own process only', async () => {
    const [a, b] = nodes()
    const onB = await openHub(b.url, 'far')
    a.hub.send(
      to.where(() => true),
      'send',
      'near only',
    )
    a.hub.send(to.user('far'), 'send', 'sent')
    await until(() => onB.received.length > 0)
    expect(texts(onB.received)).toEqual(['sent'])
    onB.socket.terminate()
  })
}

describe('two nodes over the memory bus', () => {
  let a: TestHub
  let b: TestHub
  beforeAll(async () => {
    const bus = createMemoryBus()
    a = await startHub({ backplane: bus.connect() })
    b = await startHub({ backplane: bus.connect() })
  })
  afterAll(async () => {
    await Promise.all([a.close(), b.close()])
  })
  together(() => [a, b])

  test('a connection that nobody holds joins nothing', async () => {
    expect(await a.hub.groups.add('nobody', 'red')).toBe(false)
  })
})

describe('two nodes over a real Postgres', () => {
  let database: TestDatabase
  let a: TestHub
  let b: TestHub
  let pools: Pool[] = []
  let sessions: Client[] = []

  /** The plainest listener that keeps the contract: one session, and a notice after each new one. */
  function listener(): SqlListen {
    return {
      async listen(channel, onNotice) {
        let stopped = false
        let session: Client | null = null
        const open = async (): Promise<void> => {
          session = new Client(database.config)
          sessions.push(session)
          session.on('error', () => undefined)
          session.on('notification', onNotice)
          session.on('end', () => {
            if (!stopped) void open().catch(() => undefined)
          })
          await session.connect()
          await session.query(`LISTEN ${channel}`)
          onNotice()
        }
        await open()
        return async () => {
          stopped = true
          await session?.end()
        }
      },
    }
  }

  async function node(): Promise<TestHub> {
    const sql = new Pool({ ...database.config, max: 2 })
    pools.push(sql)
    return startHub({ backplane: createPostgresBackplane({ sql, listener: listener() }) })
  }

  beforeAll(async () => {
    database = await startPostgres()
    const client = new Client(database.config)
    await client.connect()
    await client.query(backplaneDdl())
    await client.query(backplaneDdl())
    await client.end()
    a = await node()
    b = await node()
  })
  afterAll(async () => {
    await Promise.all([a.close(), b.close()])
    await Promise.all(pools.map((pool) => pool.end()))
    await database.stop()
  })
  together(() => [a, b])

  test('both publish at once: each gets everything once, each publisher in its own order', async () => {
    const onA = await openHub(a.url, 'ann')
    const onB = await openHub(b.url, 'bob')
    for (let i = 0; i < 300; i += 1) {
      a.hub.send(to.all, 'send', ['a', i])
      b.hub.send(to.all, 'send', ['b', i])
      if (i % 10 === 0) await sleep(1)
    }
    await until(() => onA.received.length >= 600 && onB.received.length >= 600, 'all messages', 10_000)
    await sleep(50)
    for (const { received } of [onA, onB])
      for (const name of ['a', 'b'])
        expect(
          texts(received)
            .filter((one) => (one as [string, number])[0] === name)
            .map((one) => (one as [string, number])[1]),
        ).toEqual(Array.from({ length: 300 }, (_, i) => i))
    onA.socket.terminate()
    onB.socket.terminate()
  })

  test('a node that lost its session reads what it missed', async () => {
    const onB = await openHub(b.url, 'bob')
    const admin = new Client(database.config)
    await admin.connect()
    await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()",
    )
    a.hub.send(to.all, 'send', 'missed')
    await until(() => texts(onB.received).includes('missed'), 'the missed message')
    expect(sessions.length).toBeGreaterThan(2)
    await admin.end()
    onB.socket.terminate()
  })

  test('a second server process with the official client', async () => {
    const client = connect(b.url, { token: 'dan' })
    const got: unknown[] = []
    client.on('send', (message) => void got.push(message))
    await client.start()
    a.hub.send(to.user('dan'), 'send', { method: 'notifyMessage', message: 1 })
    await until(() => got.length === 1)
    expect(got).toEqual([{ method: 'notifyMessage', message: 1 }])
    await client.stop()
  })
})

describe('keys of another node', () => {
  let a: TestHub
  let b: TestHub
  beforeAll(async () => {
    const nodeSecret = 'one secret for all nodes'
    a = await startHub({ node: 'a', nodeSecret })
    b = await startHub({ node: 'b', nodeSecret })
  })
  afterAll(async () => {
    await Promise.all([a.close(), b.close()])
  })

  test('are good for a WebSocket, once, with the public id that was promised', async () => {
    const answer = await negotiate(a.url)
    const id = answer.connectionToken ?? ''
    expect(id).toMatch(/^a\./)
    const socket = await openHub(b.url, 'ann', id)
    expect([...b.hub.connections()].map((one) => one.connectionId)).toEqual([answer.connectionId])
    expect((await upgradeStatus(`${b.url}?id=${id}`, bearer('ann'))).status).toBe(409)
    socket.send({ type: 7 })
    await socket.closed
    expect((await upgradeStatus(`${b.url}?id=${id}`, bearer('ann'))).status).toBe(404)
  })

  test('are unknown to the other transports', async () => {
    const id = await newId(a.url)
    expect((await poll(b.url, id)).status).toBe(404)
    expect((await post(b.url, id, 'x')).status).toBe(404)
    expect(
      (await fetch(`${b.url}?id=${id}`, { headers: { ...bearer('ann'), accept: 'text/event-stream' } }))
        .status,
    ).toBe(404)
  })

  test('are no good for another user, another hub, or without the secret', async () => {
    const id = await newId(a.url)
    expect((await upgradeStatus(`${b.url}?id=${id}`, bearer('bob'))).status).toBe(404)
    const stranger = await startHub({ node: 'c' })
    expect((await upgradeStatus(`${stranger.url}?id=${id}`, bearer('ann'))).status).toBe(404)
    await stranger.close()
  })

  test('do not keep a node from its own connections', async () => {
    const id = await openPolling(a.url)
    a.hub.send(to.all, 'send', 1)
    expect(texts(records(await (await poll(a.url, id)).text()))).toEqual([1])
  })
})
