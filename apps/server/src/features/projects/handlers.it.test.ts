import { afterAll, beforeAll, expect, test } from 'vitest'
import { CallError } from '@weft/contract/core/client'
import { projects } from '@weft/contract/projects/api'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof CallError ? error.code : error),
  )

test('a project lives from creating to deleting, by its owner alone', async () => {
  const mine = (await server.as('operator', 'ann')).api(projects)
  const made = await mine.create({ name: 'Harbour', description: 'Notices' })
  expect(made).toMatchObject({
    status: 'active',
    colour: '#0db976',
    workflowCount: 0,
    campaignCount: 0,
    can: ['update', 'delete'],
  })
  const { id } = made
  expect(await mine.update({ id, version: 1, status: 'frozen' })).toMatchObject({
    status: 'frozen',
    version: 2,
  })
  expect(await code(mine.update({ id, version: 1, name: 'Old' }))).toBe('record.stale')
  expect((await mine.list({ status: 'frozen', q: 'harb' })).totalRecord).toBe(1)
  expect((await mine.list({ status: 'active' })).totalRecord).toBe(0)
  const ben = (await server.as('operator', 'ben')).api(projects)
  expect(await code(ben.get({ id }))).toBe('record.not_found')
  expect(await code(ben.remove({ id }))).toBe('record.not_found')
  expect((await ben.list({})).totalRecord).toBe(0)
  await mine.remove({ id })
  expect(await code(mine.get({ id }))).toBe('record.not_found')
})

test('bad input names the field', async () => {
  const mine = (await server.as('operator', 'ann')).api(projects)
  await expect(mine.create({ name: ' ', colour: 'red' })).rejects.toMatchObject({
    httpStatus: 422,
    body: { errors: [{ path: 'name' }, { path: 'colour' }] },
  })
})
