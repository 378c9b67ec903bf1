import { describe, expect, test } from 'vitest'
import { publicId, TokenMint } from '../src/connection-token.ts'
import { HubCore } from '../src/core.ts'
import { redactUrl } from '../src/headers.ts'
import { createHub } from '../src/hub.ts'
import { defaultLimits, RecordBudget } from '../src/limits.ts'
import { methodTable } from '../src/methods.ts'
import { negotiateVersion } from '../src/negotiate.ts'
import { to } from '../src/types.ts'
import { Upload } from '../src/upload.ts'

describe('connection keys', () => {
  const secret = 'a secret of all nodes'
  const mintOf = (node: string, over = {}) =>
    new TokenMint({ node, secret, path: '/hub', lifeMs: 15_000, ...over })
  const now = 1_700_000_000_000

  test('name their node and need no escaping in a URL', () => {
    const token = mintOf('a').mint('ann', now)
    expect(token).toMatch(/^a\./)
    expect(encodeURIComponent(token)).toBe(token)
    expect(new TokenMint({ path: '/hub', lifeMs: 1 }).mint('ann', now)).toMatch(/^[\w-]+\.[\w-]{24}$/)
  })

  test('are taken by another node for their user, for a while', () => {
    const token = mintOf('a').mint('ann', now)
    expect(mintOf('b').isForeign(token, 'ann', now + 10_000)).toBe(true)
    expect(mintOf('a').isForeign(token, 'ann', now)).toBe(false)
    expect(mintOf('b').isForeign(token, 'bob', now)).toBe(false)
    expect(mintOf('b').isForeign(token, 'ann', now + 30_000)).toBe(false)
    expect(mintOf('b').isForeign(token, 'ann', now - 30_000)).toBe(false)
    expect(mintOf('b', { secret: 'quite another secret' }).isForeign(token, 'ann', now)).toBe(false)
    expect(mintOf('b', { secret: undefined }).isForeign(token, 'ann', now)).toBe(false)
    expect(mintOf('b', { path: '/other' }).isForeign(token, 'ann', now)).toBe(false)
    for (const forged of [`${token}x`, `${token}.x`, token.replace(/^a/, 'c'), 'a.b.c.d', '...', ''])
      expect(mintOf('b').isForeign(forged, 'ann', now)).toBe(false)
  })

  test('give the same public id everywhere, and no way back', () => {
    const token = mintOf('a').mint('ann', now)
    expect(publicId(token)).toBe(publicId(token))
    expect(publicId(token)).toMatch(/^[\w-]{22}$/)
    expect(token).not.toContain(publicId(token))
  })

  test('need a plain node name and a real secret', () => {
    expect(() => mintOf('a.b')).toThrow()
    expect(() => mintOf('a', { secret: 'short' })).toThrow()
  })
})

test('a budget allows a burst and then a rate', () => {
  const budget = new RecordBudget({ ...defaultLimits, recordBurst: 3, recordsPerSecond: 2 }, 0)
  expect([0, 0, 0, 0].map((now) => budget.take(now))).toEqual([true, true, true, false])
  expect([500, 500, 1000].map((now) => budget.take(now))).toEqual([true, false, true])
  expect(Array.from({ length: 5 }, () => budget.take(100_000)).filter(Boolean)).toHaveLength(3)
})

test.each([
  [null, 0, 0],
  ['0', 0, 0],
  ['1', 0, 1],
  ['2', 0, 1],
  ['1', 1, 1],
  ['0', 1, null],
  [null, 1, null],
  ['-1', 0, null],
  ['1.0', 0, null],
  ['x', 0, null],
  ['', 0, null],
] as const)('negotiateVersion %s with minimum %s is %s', (given, min, version) => {
  const query = new URLSearchParams(given === null ? {} : { negotiateVersion: given })
  expect(negotiateVersion(query, min)).toBe(version)
})

test('an address is logged without its secrets', () => {
  expect(redactUrl('/hub?id=a.b&access_token=x%20y&tenant=4')).toBe('/hub?id=***&access_token=***&tenant=4')
  expect(redactUrl('/hub?ACCESS_TOKEN=x')).toBe('/hub?ACCESS_TOKEN=***')
  expect(redactUrl('/hub')).toBe('/hub')
})

test('a hub refuses a wrong set-up at once', () => {
  const authenticate = () => ({ status: 401 }) as const
  for (const path of ['hub', '/hub/', '/', ''])
    expect(() => createHub({ path, authenticate })).toThrow('path')
  const method = { args: { parse: () => [] }, handle: () => null }
  expect(() => methodTable({ Ping: method, PING: method }, {})).toThrow('twice')
  const hub = createHub({ path: '/hub', authenticate })
  expect(() => hub.send({ to: 'all' }, '')).toThrow()
  expect(() => hub.send({ to: 'all' }, 'send', 1n)).toThrow()
})

test('an ended connection is in no index any more, but its groups can still be read', async () => {
  const core = new HubCore({ path: '/hub', authenticate: () => ({ status: 401 }) })
  const connection = core.create({ user: {}, userId: 'ann' })
  const written: string[] = []
  connection.start({
    kind: 'WebSockets',
    queuedBytes: 0,
    queuedRecords: 0,
    write: (record) => void written.push(record.bytes.toString()),
    pauseInput: () => undefined,
    discard: () => false,
    finish: () => undefined,
    terminate: () => undefined,
    check: () => null,
  })
  connection.receive(Buffer.from('{"protocol":"json","version":1}\u001e'))
  const { connectionId, token } = connection
  expect(core.registry.join(connectionId, 'red')).toBe(true)
  expect([...core.registry.targets(to.group('red'))]).toEqual([connection])
  connection.close('revoked')
  for (const target of [to.all, to.user('ann'), to.group('red'), to.connection(connectionId)])
    expect([...core.registry.targets(target)]).toEqual([])
  expect([...connection.groups]).toEqual(['red'])
  expect(core.registry.find(token)).toBe(connection)
  connection.ended('lost')
  expect(core.registry.find(token)).toBeUndefined()
  expect(core.registry.ofUser('ann')).toEqual([])
  expect(written).toEqual(['{}\u001e', '{"type":7}\u001e'])
  // What an application logs of a connection holds no key.
  expect(JSON.stringify(connection)).not.toContain(token)
  core.stop()
})

describe('uploads', () => {
  const read = async (upload: Upload) => {
    const items: unknown[] = []
    for await (const item of upload) items.push(item)
    return items
  }

  test('are read in order, whether they came before or after', async () => {
    const upload = new Upload(() => undefined)
    upload.push(1)
    const reading = read(upload)
    await Promise.resolve()
    upload.push(2)
    upload.end(null)
    upload.push(3)
    expect(await reading).toEqual([1, 2])
  })

  test('wake their reader item by item', async () => {
    const upload = new Upload(() => undefined)
    const items = upload[Symbol.asyncIterator]()
    const first = items.next()
    await Promise.resolve()
    upload.push('first')
    expect(await first).toEqual({ done: false, value: 'first' })
    await items.return(undefined)
  })

  test("end with the client's error, after what came before it", async () => {
    const upload = new Upload(() => undefined)
    upload.push(1)
    upload.end('it broke')
    await expect(read(upload)).rejects.toThrow('it broke')
  })

  test('are dropped when the reader stops', async () => {
    let taken = 0
    const upload = new Upload(() => (taken += 1))
    for (let i = 0; i < 5; i += 1) upload.push(i)
    for await (const item of upload) if (item === 1) break
    expect(upload.waiting).toBe(0)
    expect(taken).toBe(3)
  })
})
