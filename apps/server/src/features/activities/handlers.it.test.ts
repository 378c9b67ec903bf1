import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '@weft/contract/activities/api'
import { activityTypes } from '@weft/workflow/catalogue/catalogue'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('the catalogue is listed in the order of its palette, by category, by word, and page by page', async () => {
  const api = (await server.as('viewer')).api(activities)
  const all = await api.list({ perPage: '-1' })
  expect(all.data.map(({ type }) => type)).toEqual([...activityTypes])
  const page = await api.list({ category: 'page', perPage: '5', page: '2', sortBy: 'type' })
  expect(page.data.every(({ category }) => category === 'page')).toBe(true)
  expect(page.totalPage).toBe(Math.ceil(page.totalRecord / 5))
  expect((await api.list({ q: 'sign' })).data.map(({ type }) => type)).toContain('sign-in')
  const first = await api.list({ sortBy: 'type', sortDesc: 'true', perPage: '1' })
  expect(first.data[0]?.type).toBe([...activityTypes].sort().at(-1))
})

test('one activity tells its input, its ways out and what it does to the world', async () => {
  const api = (await server.as('viewer')).api(activities)
  expect(await api.get({ id: 'condition' })).toMatchObject({
    type: 'condition',
    outcomes: ['true', 'false', 'done'],
    sideEffect: 'none',
    enabled: true,
    builtIn: true,
  })
  expect((await api.get({ id: 'fill' })).inputSchema).toMatchObject({ type: 'object' })
  await expect(api.get({ id: 'nothing' })).rejects.toMatchObject({ code: 'record.not_found' })
  await expect(server.anonymous.api(activities).list({})).rejects.toMatchObject({ code: 'auth.required' })
})
