import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '@weft/contract/activities/api'
import { workflows } from '@weft/contract/workflows/api'
import { activityTypes } from '@weft/workflow/catalogue/catalogue'
import { emptyDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
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
  // By the words of whichever language.
  for (const q of ['press key', 'appuyer', 'ضغط مفتاح'])
    expect([q, (await api.list({ q })).data.some(({ type }) => type === 'press-key')]).toEqual([q, true])
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

test('one that is switched off is a problem of workflows that hold it, and keeps them from being published', async () => {
  const admin = (await server.as('administrator')).api(activities)
  const viewer = await server.as('viewer')
  const flows = (await server.as('operator')).api(workflows)
  const click = await admin.get({ id: 'click' })
  expect(click).toMatchObject({ enabled: true, version: 1, can: ['update'] })
  expect((await viewer.api(activities).get({ id: 'click' })).cannot).toEqual({ update: 'access.denied' })
  const change = { id: 'click', version: 1, enabled: false }
  await expect(viewer.api(activities).update(change)).rejects.toMatchObject({ code: 'access.denied' })
  await expect(admin.update({ ...change, id: 'nothing' })).rejects.toMatchObject({ code: 'record.not_found' })

  const draft = { ...encodeDocument(clicks()) }
  const flow = await flows.create({ name: 'Clicks', draft })
  expect(flow.problems).toEqual([])
  expect(await admin.update(change)).toMatchObject({ enabled: false, version: 2 })
  await expect(admin.update(change)).rejects.toMatchObject({ code: 'record.stale' })
  expect((await admin.list({ enabled: 'false' })).data.map(({ id }) => id)).toEqual(['click'])
  expect((await flows.get({ id: flow.id })).problems).toMatchObject([
    { code: 'workflow.activity_disabled', activityId: 'go', params: { type: 'click' } },
  ])
  await expect(flows.publish({ id: flow.id, version: flow.version })).rejects.toMatchObject({
    body: { code: 'workflow.invalid', errors: [{ code: 'workflow.activity_disabled' }] },
  })
  const told = await server.deps.db.execute(sql`
    select label, before, after from audit where feature = 'activities' and record_id = 'click'`)
  expect(told.rows).toEqual([
    { label: 'activity.update', before: { enabled: true }, after: { enabled: false } },
  ])

  expect(await admin.update({ id: 'click', version: 2, enabled: true })).toMatchObject({ enabled: true })
  await flows.publish({ id: flow.id, version: flow.version })
  expect(await figure('click', 'operator')).toEqual({
    id: 'click',
    workflows: 1,
    releases: 1,
    runs: 0,
    failed: 0,
  })
  // Workflows of others are not counted for somebody who may not see them.
  const other = (await server.as('operator', 'somebody-else')).api(activities)
  expect((await other.figures({})).some(({ id }) => id === 'click')).toBe(false)
})

async function figure(id: string, role: 'operator' | 'administrator') {
  const all = await (await server.as(role)).api(activities).figures({})
  return all.find((one) => one.id === id)
}

function clicks() {
  const state = { targets: [{ by: 'text', text: 'Go' }] }
  return { ...emptyDocument(), start: 'go', activities: [{ id: 'go', type: 'click', typeVersion: 1, state }] }
}
