import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { bulks } from '@weft/contract/bulks/api'
import { phones } from '@weft/contract/phones/api'
import { profiles } from '@weft/contract/profiles/api'
import { proxies } from '@weft/contract/proxies/api'
import { newId } from '../../kit/record.ts'
import { codeOf, refusal } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { expectTablesMatch } from '../../testing/tables-match.ts'
import { phone } from '../phones/table.ts'
import { profile } from '../profiles/table.ts'
import { proxy } from './table.ts'

let server: TestServer
let ann: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
})
afterAll(() => server.stop())

test('the tables are as the code knows them', () =>
  expectTablesMatch(server.deps.db, [proxy, profile, phone]))

describe('a proxy', () => {
  test('is one by protocol, host, port and user', async () => {
    const api = ann.api(proxies)
    const one = { protocol: 'http', host: 'Proxy.example.net', port: 8080 } as const
    expect(await api.create(one)).toMatchObject({ status: 'unverified', proxySource: 'manual', type: 'own' })
    expect(await codeOf(api.create({ ...one, host: 'proxy.EXAMPLE.net' }))).toBe('record.duplicate')
    await api.create({ ...one, username: 'u' })
    await api.create({ ...one, port: 8081 })
  })

  test('is verified anew when it leads elsewhere, and can be disabled and enabled', async () => {
    const api = ann.api(proxies)
    const { id } = await api.create({ protocol: 'socks5', host: '10.9.9.9', port: 1080 })
    await server.deps.db.execute(sql`update proxy set status = 'healthy' where id = ${id}`)
    expect(await api.update({ id, version: 1, notes: 'same' })).toMatchObject({ status: 'healthy' })
    expect(await api.update({ id, version: 2, host: '10.9.9.8' })).toMatchObject({ status: 'unverified' })
    expect(await api.update({ id, version: 3, disabled: true })).toMatchObject({ status: 'disabled' })
    expect(await api.update({ id, version: 4, port: 1081 })).toMatchObject({ status: 'disabled' })
    expect(await api.update({ id, version: 5, disabled: false })).toMatchObject({ status: 'unverified' })
    const until = '2031-01-02T03:04:05.000Z'
    expect(await api.update({ id, version: 6, expiresAt: until })).toMatchObject({ expiresAt: until })
    expect((await api.list({ protocol: 'socks5', status: 'unverified', q: '9.9.8' })).totalRecord).toBe(1)
  })

  test('is verified anew with another password, also where many are given one, and that can be taken back', async () => {
    const api = ann.api(proxies)
    const { id } = await api.create({ protocol: 'http', host: '10.9.8.7', port: 3128, password: 'old' })
    const known = sql`status = 'quarantined', failures = 4, last_error = 'address_refused', exit_ip = '192.0.2.7',
      tally = '[[1, 2, 3]]', success_ratio_24h = 0.4, tally_until = now() + interval '1 day'`
    await server.deps.db.execute(sql`update proxy set ${known} where id = ${id}`)
    const done = await api.bulk({ selection: { ids: [id] }, action: 'update', fields: { password: 'new' } })
    expect(await api.get({ id })).toMatchObject({
      status: 'unverified',
      failures: 0,
      exitIp: null,
      successRatio24h: null,
    })
    const { rows } = await server.deps.db.execute(
      sql`select after from audit where record_id = ${id} order by at desc, id desc limit 1`,
    )
    expect(rows[0]?.['after']).toMatchObject({ status: 'unverified', successRatio24h: null })
    expect(rows[0]?.['after']).not.toHaveProperty('tally')
    await ann.api(bulks).undo({ id: done.id })
    expect(await api.get({ id })).toMatchObject({ status: 'quarantined', failures: 4, successRatio24h: 0.4 })
  })

  test('tells who uses it, as far as one may see that', async () => {
    const { id } = await ann.api(proxies).create({ protocol: 'http', host: '10.9.1.1', port: 80 })
    const used = await ann.api(profiles).create({ name: 'Uses it', proxyId: id })
    await ann.api(accounts).create({ type: 'x', username: 'uses it too', proxyId: id })
    expect(await ann.api(proxies).whereUsed({ id })).toEqual([
      { feature: 'accounts', id: expect.any(String), name: 'uses it too', blocks: false },
      { feature: 'profiles', id: used.id, name: 'Uses it', blocks: false },
    ])
    const looker = await server.withRules('looker', [{ action: 'VIEW', subject: ['PROXY', 'PROFILE'] }])
    expect(await looker.api(proxies).whereUsed({ id })).toHaveLength(1)
  })
})

describe('a phone', () => {
  test('is one by its number', async () => {
    const api = ann.api(phones)
    await api.create({ countryCode: '+44', phoneNumber: '+447700900001' })
    expect(await codeOf(api.create({ countryCode: '+44', phoneNumber: '+447700900001' }))).toBe(
      'record.duplicate',
    )
    expect(await codeOf(api.create({ countryCode: '44', phoneNumber: '07700' }))).toBe('request.invalid')
    expect((await api.list({ q: '7700900' })).totalRecord).toBe(1)
  })

  test('is kept as E.164, however it is written, and shown as it is dialled at home', async () => {
    const api = ann.api(phones)
    const made = await api.create({ phoneNumber: '06 98 76 54 32', countryCode: 'FR' })
    expect(made).toMatchObject({
      phoneNumber: '+33698765432',
      countryCode: '+33',
      country: 'FR',
      national: '06 98 76 54 32',
    })
    const moved = await api.update({ id: made.id, version: 1, phoneNumber: '0044 20 7946 0018' })
    expect(moved).toMatchObject({ phoneNumber: '+442079460018', countryCode: '+44', country: 'GB' })
    expect((await api.list({ countryCode: '+44', q: '79460018' })).totalRecord).toBe(1)
  })

  test.each([
    [{ phoneNumber: '06 98 76 54 32' }, 'phoneNumber', 'format'],
    [{ phoneNumber: '+33 6' }, 'phoneNumber', 'format'],
    [{ phoneNumber: "+33'; drop table phone" }, 'phoneNumber', 'format'],
    [{ phoneNumber: '+33 6 98 76 54 32', countryCode: 'GB' }, 'countryCode', 'not_same'],
    [{ phoneNumber: '06 98 76 54 32', countryCode: 'QQ' }, 'countryCode', 'format'],
  ])('that is none is refused: %j', async (input, path, why) => {
    const failure = await refusal(ann.api(phones).create(input))
    expect(failure.body).toMatchObject({ code: 'request.invalid', errors: [{ path, code: why }] })
  })

  test('that is there already names the other one; somebody else may have the same', async () => {
    const api = ann.api(phones)
    const first = await api.create({ phoneNumber: '+201001234567' })
    const params = { field: 'phoneNumber', name: '+201001234567', id: first.id }
    const again = await refusal(api.create({ phoneNumber: '010 0123 4567', countryCode: '+20' }))
    expect(again.body).toMatchObject({ code: 'record.duplicate', params, errors: [{ params }] })
    const other = await api.create({ phoneNumber: '+201001234568' })
    const moved = await refusal(api.update({ id: other.id, version: 1, phoneNumber: '+201001234567' }))
    expect(moved.body).toMatchObject({ code: 'record.duplicate', params })
    const bob = await server.as('operator', 'bob')
    expect(await bob.api(phones).create({ phoneNumber: '+201001234567' })).toBeDefined()
    expect((await refusal(bob.api(phones).get({ id: first.id }))).code).toBe('record.not_found')
  })
})

describe('what a run holds', () => {
  async function hold(kind: string, id: string) {
    const { db } = server.deps
    const [clientId, runId] = [newId(), newId()]
    await db.execute(sql`insert into client (id, client_key, name) values (${clientId}, ${clientId}, 'c')`)
    await db.execute(sql`insert into run (id, workflow_id, release, attempt, fence, client_id, held_until)
      values (${runId}, ${newId()}, 1, 1, 1, ${clientId}, now() + interval '1 minute')`)
    await db.execute(
      sql`insert into resource_lease (kind, resource_id, run_id) values (${kind}, ${id}, ${runId})`,
    )
    return runId
  }

  test('shows who holds it and cannot be deleted, one by one or in bulk', async () => {
    const api = ann.api(phones)
    const held = await api.create({ countryCode: '+1', phoneNumber: '+12025550100' })
    const free = await api.create({ countryCode: '+1', phoneNumber: '+12025550101' })
    const runId = await hold('phone', held.id)
    const shown = await api.get({ id: held.id })
    expect(shown).toMatchObject({
      status: 'in_use',
      lease: { runId, campaignId: null },
      cannot: { delete: 'record.in_use' },
    })
    expect(shown.can).not.toContain('delete')
    expect((await api.list({ status: 'in_use' })).data.map(({ id }) => id)).toEqual([held.id])
    expect((await api.list({ status: 'new', q: '120255501' })).data.map(({ id }) => id)).toEqual([free.id])
    const blocked = await api.create({ countryCode: '+1', phoneNumber: '+12025550102', status: 'blocked' })
    const shownBy = async (status: string) =>
      (await api.list({ status, q: '120255501', sortBy: 'phoneNumber', sortDesc: false })).data.map(
        ({ id }) => id,
      )
    expect(await shownBy('blocked')).toEqual([blocked.id])
    expect(await shownBy('new,blocked')).toEqual([free.id, blocked.id])
    expect(await shownBy('in_use,blocked')).toEqual([held.id, blocked.id])
    expect(await shownBy('in_use,new')).toEqual([held.id, free.id])
    expect(await shownBy('in_use,new,verified,blocked')).toEqual([held.id, free.id, blocked.id])
    expect(await shownBy('in_use,verified')).toEqual([held.id])
    expect(await codeOf(api.remove({ id: held.id }))).toBe('record.in_use')
    const bulk = await api.bulk({ selection: { ids: [held.id, free.id] }, action: 'delete' })
    expect(bulk).toMatchObject({
      done: 1,
      refused: [{ id: held.id, name: '+12025550100', code: 'record.in_use' }],
    })
    expect(await api.whereUsed({ id: held.id })).toMatchObject([{ feature: 'runs', id: runId, blocks: true }])
  })

  test('shows a profile as leased and a proxy by its first holder', async () => {
    const made = await ann.api(profiles).create({ name: 'Held' })
    await hold('profile', made.id)
    expect(await ann.api(profiles).get({ id: made.id })).toMatchObject({ status: 'leased' })
    expect((await ann.api(profiles).list({ status: 'leased' })).totalRecord).toBe(1)
    const way = await ann.api(proxies).create({ protocol: 'http', host: '10.7.7.7', port: 80, capacity: 2 })
    await hold('proxy', way.id)
    expect((await ann.api(proxies).get({ id: way.id })).lease).not.toBeNull()
  })
})
