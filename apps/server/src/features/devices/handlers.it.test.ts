import { afterAll, beforeAll, expect, test } from 'vitest'
import { devices } from '@weft/contract/devices/api'
import { profiles } from '@weft/contract/profiles/api'
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
