import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '@weft/contract/projects/api'
import { codeOf } from '../../testing/browser.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('a project lives from creating to deleting, by its owner alone', async () => {
  const mine = (await server.as('operator', 'ann')).api(projects)
  const made = await mine.create({ name: 'Harbour', description: 'Notices' })
  expect(made).toMatchObject({
    status: 'active',
    colour: '#0db976',
    workflowCount: 0,
    campaignCount: 0,
    can: ['update', 'delete', 'export'],
  })
  const { id } = made
  expect(await mine.update({ id, version: 1, status: 'frozen' })).toMatchObject({
    status: 'frozen',
    version: 2,
  })
  expect(await codeOf(mine.update({ id, version: 1, status: 'active' }))).toBe('record.stale')
  expect((await mine.list({ status: 'frozen', q: 'harb' })).totalRecord).toBe(1)
  expect((await mine.list({ status: 'active' })).totalRecord).toBe(0)
  const ben = (await server.as('operator', 'ben')).api(projects)
  expect(await codeOf(ben.get({ id }))).toBe('record.not_found')
  expect(await codeOf(ben.remove({ id }))).toBe('record.not_found')
  expect((await ben.list({})).totalRecord).toBe(0)
  await mine.remove({ id })
  expect(await codeOf(mine.get({ id }))).toBe('record.not_found')
})

test('bad input names the field', async () => {
  const mine = (await server.as('operator', 'ann')).api(projects)
  await expect(mine.create({ name: ' ', colour: 'red' })).rejects.toMatchObject({
    httpStatus: 422,
    body: { errors: [{ path: 'name' }, { path: 'colour' }] },
  })
})
