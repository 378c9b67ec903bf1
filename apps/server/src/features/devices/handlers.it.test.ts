import { afterAll, beforeAll, expect, test } from 'vitest'
import { devices } from '@weft/contract/devices/api'
import { profiles } from '@weft/contract/profiles/api'
import { refusal } from '../../testing/browser.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { expectTablesMatch } from '../../testing/tables-match.ts'
import builtIn from './built-in.json' with { type: 'json' }
import { seedDevices } from './seed.ts'
import { device } from './table.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('the table is as the code knows it', () => expectTablesMatch(server.deps.db, [device]))

test('the presets are there by name, each once, however often the server starts', async () => {
  const api = (await server.as('operator')).api(devices)
  const before = await api.list({ perPage: '-1' })
  expect(before.totalRecord).toBe(builtIn.length)
  expect(before.data[0]).toMatchObject({ kind: 'desktop', builtIn: true, userAgent: null })
  await seedDevices(server.deps.db)
  expect(await api.list({ perPage: '-1' })).toEqual(before)
  const phones = await api.list({ kind: 'phone,tablet', q: 'pixel 8' })
  expect(phones.data).toMatchObject([
    { name: 'Pixel 8', kind: 'phone', touch: true, mobile: true },
    { name: 'Pixel 8 Pro' },
  ])
})

test('a profile takes one, and is found by the kind of it', async () => {
  const person = await server.as('operator')
  const [preset] = (await person.api(devices).list({ q: 'iPad Pro 11', perPage: '1' })).data
  const made = await person.api(profiles).create({ name: 'Tablet', deviceId: preset?.id })
  expect(made).toMatchObject({ deviceName: preset?.name, status: 'empty', snapshot: null })
  expect((await person.api(profiles).list({ deviceType: 'tablet' })).totalRecord).toBe(1)
  expect((await person.api(profiles).list({ deviceType: 'phone,desktop' })).totalRecord).toBe(0)
})

const till = { name: 'Till', viewport: { width: 1024, height: 600 } }

test('people make devices of their own, found among the others by name', async () => {
  const ann = (await server.as('operator', 'ann')).api(devices)
  const made = await ann.create({ ...till, touch: true, locale: 'fr-FR', timeZone: 'Europe/Paris' })
  expect(made).toMatchObject({
    ...till,
    builtIn: false,
    kind: 'desktop',
    scale: 1,
    can: ['update', 'delete'],
  })
  expect((await refusal(ann.create({ ...till, name: 'TILL' }))).code).toBe('record.duplicate')
  const changed = await ann.update({
    id: made.id,
    version: 1,
    scale: 2,
    viewport: { width: 800, height: 600 },
  })
  expect(changed).toMatchObject({ scale: 2, viewport: { width: 800 }, touch: true, version: 2 })
  expect((await refusal(ann.update({ id: made.id, version: 1, scale: 3 }))).code).toBe('record.stale')
  expect((await ann.list({ builtIn: 'false' })).data.map(({ name }) => name)).toEqual(['Till'])
  const names = (await ann.list({ perPage: '-1' })).data.map(({ name }) => name)
  expect(names).toHaveLength(builtIn.length + 1)
  expect(names.indexOf('Till')).toBeGreaterThan(names.indexOf('Pixel 9'))
})

test('what is no device is refused', async () => {
  const ann = (await server.as('operator', 'ann')).api(devices)
  for (const [wrong, path] of [
    [{ viewport: { width: 0, height: 600 } }, 'viewport.width'],
    [{ scale: 99 }, 'scale'],
    [{ userAgent: 'Till/1.0\r\nX: y' }, 'userAgent'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ timeZone: '+01:00' }, 'timeZone'],
    [{ locale: 'not a locale' }, 'locale'],
  ] as const)
    expect((await refusal(ann.create({ ...till, name: path, ...wrong }))).body.errors?.[0]?.path).toBe(path)
})

test('built-in ones and those of others stay as they are', async () => {
  const admin = (await server.as('administrator')).api(devices)
  const [first] = (await admin.list({ perPage: '1' })).data
  const id = first?.id ?? ''
  expect(first).toMatchObject({ can: [], cannot: { update: 'device.built_in' } })
  expect((await refusal(admin.update({ id, version: 1, scale: 2 }))).code).toBe('device.built_in')
  expect((await refusal(admin.remove({ id }))).code).toBe('device.built_in')
  const ann = (await server.as('operator', 'ann')).api(devices)
  const bob = (await server.as('operator', 'bob')).api(devices)
  const made = await ann.create({ ...till, name: 'Of Ann' })
  expect(await bob.get({ id: made.id })).toMatchObject({ can: [], cannot: { delete: 'access.denied' } })
  expect((await refusal(bob.update({ id: made.id, version: 1, scale: 2 }))).code).toBe('access.denied')
  expect((await refusal(bob.remove({ id: made.id }))).code).toBe('access.denied')
  const looker = (await server.as('viewer', 'looker')).api(devices)
  expect((await refusal(looker.create(till))).code).toBe('access.denied')
})

test('one that a profile uses is not deleted; it is said which', async () => {
  const person = await server.as('operator', 'ann')
  const made = await person.api(devices).create({ ...till, name: 'Used' })
  const user = await person.api(profiles).create({ name: 'At the till', deviceId: made.id })
  expect(await person.api(devices).whereUsed({ id: made.id })).toEqual([
    { feature: 'profiles', id: user.id, name: 'At the till', blocks: true },
  ])
  expect((await refusal(person.api(devices).remove({ id: made.id }))).code).toBe('record.in_use')
  await person.api(profiles).remove({ id: user.id })
  await person.api(devices).remove({ id: made.id })
  expect((await refusal(person.api(devices).get({ id: made.id }))).code).toBe('record.not_found')
})
