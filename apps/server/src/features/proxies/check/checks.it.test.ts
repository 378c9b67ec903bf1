import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notifications } from '@weft/contract/notifications/api'
import { proxies } from '@weft/contract/proxies/api'
import type { SettingValues } from '@weft/contract/system/settings'
import { codeOf } from '../../../testing/browser.ts'
import type { TestPerson } from '../../../testing/people.ts'
import {
  PROXY_USER,
  checkAddress,
  httpProxy,
  silentServer,
  socksProxy,
  type Running,
} from '../../../testing/proxy-servers.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { expectTablesMatch } from '../../../testing/tables-match.ts'
import { changeSetting } from '../../system/settings.ts'
import { lookAtLine } from './look.ts'
import { proxyCheck, proxyDue } from './table.ts'

let server: TestServer
let ann: TestPerson
let bob: TestPerson
let target: Running & { url: string }
let answer = { status: 200, body: JSON.stringify({ ip: '81.2.69.142' }) }
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
  bob = await server.as('operator', 'bob')
  target = stack.use(await checkAddress({ body: () => answer.body, status: () => answer.status }))
  await set('proxyCheckUrl', target.url)
  await set('proxyPrivateNetworks', '127.0.0.0/8')
})
afterAll(async () => {
  await stack.disposeAsync()
  await server.stop()
})
beforeEach(async () => {
  answer = { status: 200, body: JSON.stringify({ ip: '81.2.69.142' }) }
  await server.deps.db.execute(sql`delete from proxy`)
  await server.deps.db.execute(sql`delete from notification`)
})

async function set<K extends keyof SettingValues>(key: K, value: SettingValues[K]) {
  await server.deps.db.transaction((tx) => changeSetting(tx, key, value, null))
  server.deps.system.forget()
}
const api = () => ann.api(proxies)
const at = (port: number, more: object = {}) =>
  api().create({ protocol: 'http', host: '127.0.0.1', port, ...more })
/** Waits until nothing that ann asked for is under way. */
const over = () =>
  expect.poll(async () => (await api().checking({}))?.finishedAt ?? null, { interval: 50 }).not.toBeNull()
const check = async (...ids: string[]) => {
  await api().check({ selection: { ids } })
  await over()
}
const told = async () =>
  (await ann.api(notifications).list({})).data.map(({ kind, params }) => [kind, params['proxy']])

test('the tables are as the code knows them', () => expectTablesMatch(server.deps.db, [proxyCheck, proxyDue]))

describe('a check', () => {
  test('records what it found, also in history, and leaves the version alone', async () => {
    await using http = await httpProxy({ auth: true })
    await using socks = await socksProxy()
    const one = await at(http.port, PROXY_USER)
    const two = await at(socks.port, { protocol: 'socks5', country: 'FR', city: 'Lyon' })
    await check(one.id, two.id)
    for (const { id } of [one, two])
      expect(await api().get({ id })).toMatchObject({
        status: 'healthy',
        exitIp: '81.2.69.142',
        country: 'GB',
        latencyMs: expect.any(Number),
        checkedAt: expect.any(String),
        failures: 0,
        lastError: null,
        checking: false,
        version: 1,
      })
    expect((await api().history({ id: one.id })).data[0]).toMatchObject({
      label: 'proxy.checked',
      actorName: 'proxy check',
      before: { status: 'unverified' },
      after: { status: 'healthy', exitIp: '81.2.69.142' },
    })
    expect(await api().checking({})).toMatchObject({ total: 2, done: 2, good: 2, bad: 0 })
  })

  test('goes on where one password cannot be opened, and blames that one’s credentials', async () => {
    await using http = await httpProxy()
    const broken = await at(http.port, PROXY_USER)
    const good = await at(http.port)
    await server.deps.db.execute(sql`update proxy set password = 'not sealed by us' where id = ${broken.id}`)
    await check(broken.id, good.id)
    expect(await api().get({ id: broken.id })).toMatchObject({ status: 'failing', lastError: 'credentials' })
    expect(await api().get({ id: good.id })).toMatchObject({ status: 'healthy' })
  })

  test('calls a slow one degraded', async () => {
    await using slow = await httpProxy({ delayMs: 150 })
    await set('proxySlowMs', 100)
    const { id } = await at(slow.port)
    await check(id)
    expect(await api().get({ id })).toMatchObject({ status: 'degraded' })
    await set('proxySlowMs', 3_000)
  })

  test('takes all that match, and only one’s own', async () => {
    await using http = await httpProxy()
    const mine = await at(http.port, { tags: ['these'] })
    const other = await at(http.port, { username: 'other' })
    const his = await bob.api(proxies).create({ protocol: 'http', host: '127.0.0.1', port: http.port })
    expect(await api().check({ selection: { query: { tag: 'these' } } })).toMatchObject({ total: 1 })
    await over()
    expect(await codeOf(api().check({ selection: { ids: [his.id] } }))).toBe('record.not_found')
    expect(await api().check({ selection: { ids: [his.id, other.id] } })).toMatchObject({ total: 1 })
    await over()
    expect((await api().get({ id: mine.id })).status).toBe('healthy')
    expect((await bob.api(proxies).get({ id: his.id })).status).toBe('unverified')
    expect(await bob.api(proxies).checking({})).toBeNull()
    expect(await codeOf(api().check({ selection: { query: { nonsense: 1 } } }))).toBe('request.invalid')
    const looker = await server.as('viewer', 'looker')
    expect(await codeOf(looker.api(proxies).check({ selection: { query: {} } }))).toBe('access.denied')
  })

  test('leaves disabled ones alone, and who is disabled meanwhile', async () => {
    await using http = await httpProxy({ delayMs: 400 })
    const off = await at(http.port, { disabled: true })
    expect(off).toMatchObject({
      can: expect.not.arrayContaining(['check']),
      cannot: { check: 'proxy.disabled' },
    })
    expect(await codeOf(api().check({ selection: { ids: [off.id] } }))).toBe('record.not_found')
    const { id } = await at(http.port, { username: 'u' })
    await api().check({ selection: { ids: [id] } })
    await api().update({ id, version: 1, disabled: true })
    await over()
    expect(await api().get({ id })).toMatchObject({ status: 'disabled', checkedAt: null })
  })

  test('of one that is changed meanwhile is made anew', async () => {
    await using http = await httpProxy({ delayMs: 300 })
    await using elsewhere = await silentServer()
    const { id } = await at(elsewhere.port)
    await api().check({ selection: { ids: [id] } })
    await expect.poll(() => elsewhere.connections()).toBe(1)
    await api().update({ id, version: 1, port: http.port })
    await elsewhere.stop()
    await over()
    expect(await api().get({ id })).toMatchObject({ status: 'healthy', failures: 0 })
  })

  test('is one of a bounded number at a time', async () => {
    const silent = await silentServer()
    for (let n = 0; n < 60; n += 1) await at(silent.port, { username: `u${n}` })
    await api().check({ selection: { query: {} } })
    await expect.poll(() => silent.connections()).toBe(48)
    expect((await api().list({ perPage: 100 })).data.every(({ checking }) => checking)).toBe(true)
    await silent.stop()
    await over()
    expect(await api().checking({})).toMatchObject({ total: 60, done: 60, good: 0, bad: 60 })
  })
})

describe('failures', () => {
  test('quarantine at the third, are told, and one success makes good', async () => {
    const first = await httpProxy()
    const { port } = first
    await first.stop()
    const { id } = await at(port)
    for (const status of ['failing', 'failing', 'quarantined']) {
      await check(id)
      expect(await api().get({ id })).toMatchObject({ status, lastError: 'unreachable' })
    }
    expect(await told()).toEqual([['proxy.quarantined', `127.0.0.1:${port}`]])
    const { retryAt } = await api().get({ id })
    expect(Date.parse(retryAt ?? '') - Date.now()).toBeGreaterThan(4 * 60_000)
    await using again = await httpProxy({ port })
    expect(again.port).toBe(port)
    await server.deps.db.execute(sql`update proxy set retry_at = now() where id = ${id}`)
    await lookAtLine(server.deps)
    await expect
      .poll(async () => await api().get({ id }))
      .toMatchObject({ status: 'healthy', failures: 0, retryAt: null, lastError: null })
    expect(await told()).toContainEqual(['proxy.recovered', `127.0.0.1:${port}`])
    // One of four went well, until these are a day old or it is another proxy.
    const found = async (...success: ('good' | 'mixed' | 'bad' | 'none')[]) =>
      (await api().list({ success, sortBy: 'successRatio24h', perPage: 100 })).data.some(
        (one) => one.id === id,
      )
    expect((await api().get({ id })).successRatio24h).toBe(0.25)
    expect([await found('bad'), await found('mixed', 'good', 'none')]).toEqual([true, false])
    await server.deps.db.execute(sql`
      update proxy set tally = jsonb_set(tally, '{0,0}', to_jsonb((tally #>> '{0,0}')::int - 24)), tally_until = now() where id = ${id}`)
    await lookAtLine(server.deps)
    expect((await api().get({ id })).successRatio24h).toBeNull()
    expect([await found('bad'), await found('none')]).toEqual([false, true])
    await check(id)
    const known = await api().get({ id })
    expect(known.successRatio24h).toBe(1)
    expect((await api().update({ id, version: known.version, port: 9 })).successRatio24h).toBeNull()
    const changes = (await api().history({ id, sortBy: 'at' })).data.filter(
      ({ label }) => label === 'proxy.checked',
    )
    expect(changes.map(({ after }) => after)).toMatchObject([
      { status: 'failing' },
      { status: 'quarantined', lastError: 'unreachable' },
      { status: 'healthy' },
    ])
  })

  test('of the check address are held against nobody', async () => {
    await using http = await httpProxy()
    const { id } = await at(http.port)
    answer = { status: 500, body: '' }
    await check(id)
    expect(await api().get({ id })).toMatchObject({
      status: 'unverified',
      failures: 0,
      lastError: 'check_address_down',
    })
  })

  test('say what is wrong: credentials, a closed network, an answer without an address', async () => {
    await using guarded = await httpProxy({ auth: true })
    await using open = await httpProxy({ seen: [] })
    const wrong = await at(guarded.port, { ...PROXY_USER, password: 'wrong' })
    const far = await at(8080, { host: '10.11.12.13' })
    answer.body = '<html>Pay for this proxy</html>'
    const odd = await at(open.port)
    await check(wrong.id, far.id, odd.id)
    const found = (await api().list({})).data.map(({ id, lastError }) => [id, lastError])
    expect(Object.fromEntries(found)).toEqual({
      [wrong.id]: 'credentials',
      [far.id]: 'address_refused',
      [odd.id]: 'bad_answer',
    })
  })
})

describe('a try before saving', () => {
  const way = (port: number) => ({ protocol: 'http' as const, host: '127.0.0.1', port })

  test('tells what it found and keeps nothing', async () => {
    await using http = await httpProxy({ auth: true })
    expect(await api().test({ ...way(http.port), ...PROXY_USER })).toMatchObject({
      ok: true,
      error: null,
      exitIp: '81.2.69.142',
      country: 'GB',
    })
    expect(await api().test({ ...way(http.port), username: 'ann' })).toMatchObject({
      ok: false,
      error: 'credentials',
    })
    expect((await api().list({})).totalRecord).toBe(0)
    expect(await codeOf(api().test({ ...way(0) }))).toBe('request.invalid')
  })

  test('takes the stored password only to where it was given for', async () => {
    await using http = await httpProxy({ auth: true })
    await using other = await httpProxy({ auth: true })
    const { id } = await at(http.port, PROXY_USER)
    const { username } = PROXY_USER
    expect(await api().test({ ...way(http.port), username, id })).toMatchObject({ ok: true })
    expect(await api().test({ ...way(other.port), username, id })).toMatchObject({ error: 'credentials' })
    expect(await codeOf(bob.api(proxies).test({ ...way(http.port), username, id }))).toBe('record.not_found')
  })
})

describe('by schedule', () => {
  const line = async () =>
    (await server.deps.db.execute<{ id: string }>(sql`select proxy_id as id from proxy_due`)).rows.map(
      ({ id }) => id,
    )

  test('those are checked whose turn it is', async () => {
    await using http = await httpProxy()
    const fresh = await at(http.port, { username: 'fresh' })
    const old = await at(http.port, { username: 'old' })
    const never = await at(http.port, { username: 'never' })
    await server.deps.db.execute(sql`
      update proxy set checked_at = case id when ${fresh.id}::uuid then now() when ${old.id}::uuid then now() - interval '61 minutes' end`)
    await set('proxyCheckMinutes', 0)
    await lookAtLine(server.deps)
    expect(await line()).toEqual([])
    await set('proxyCheckMinutes', 60)
    await lookAtLine(server.deps)
    await expect.poll(line).toEqual([])
    expect((await api().list({ status: 'healthy' })).data.map(({ id }) => id).toSorted()).toEqual(
      [old.id, never.id].toSorted(),
    )
  })

  test('an end that comes near is told of once, and again when it is moved', async () => {
    const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString()
    const { id } = await at(1080, { expiresAt: day(2), disabled: false })
    await at(1081, { expiresAt: day(9) })
    await set('proxyCheckMinutes', 0)
    await lookAtLine(server.deps)
    await lookAtLine(server.deps)
    expect(await told()).toEqual([['proxy.expiring', '127.0.0.1:1080']])
    const count = async () => (await ann.api(notifications).list({})).data[0]?.count
    expect(await count()).toBe(1)
    await api().update({ id, version: 1, expiresAt: day(1) })
    await lookAtLine(server.deps)
    expect(await count()).toBe(2)
    expect((await api().list({ expiry: 'soon' })).data.map((row) => row.id)).toEqual([id])
    expect((await api().list({ expiry: 'later,never' })).totalRecord).toBe(1)
  })

  test('without an address that others know, none are made', async () => {
    await set('proxyCheckMinutes', 60)
    await set('proxyCheckUrl', '')
    expect(await api().checkSetup({})).toMatchObject({ local: true, everyMinutes: 0 })
    await set('proxyCheckUrl', target.url)
    expect(await api().checkSetup({})).toEqual({ url: target.url, local: false, everyMinutes: 60 })
  })
})

test('a cost names its currency', async () => {
  expect(await codeOf(at(1, { costPerMonth: 12.5 }))).toBe('request.invalid')
  const { id } = await at(1, { costPerMonth: 12.5, currency: 'EUR' })
  expect(await api().get({ id })).toMatchObject({ costPerMonth: 12.5, currency: 'EUR' })
  expect(await codeOf(api().update({ id, version: 1, currency: null }))).toBe('request.invalid')
})
