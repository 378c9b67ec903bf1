import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '@weft/contract/activities/api'
import { workflows } from '@weft/contract/workflows/api'
import { activityTypes } from '@weft/workflow/catalogue/catalogue'
import { emptyDocument, type WorkflowDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
/** The type of all custom activities is none by itself. */
const listed = activityTypes.filter((type) => type !== 'custom-activity')

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('the catalogue is listed in the order of its palette, by category, by word, and page by page', async () => {
  const api = (await server.as('viewer')).api(activities)
  const all = await api.list({ perPage: '-1' })
  expect(all.data.map(({ type }) => type)).toEqual(listed)
  const page = await api.list({ category: 'page', perPage: '5', page: '2', sortBy: 'type' })
  expect(page.data.every(({ category }) => category === 'page')).toBe(true)
  expect(page.totalPage).toBe(Math.ceil(page.totalRecord / 5))
  expect((await api.list({ q: 'sign' })).data.map(({ type }) => type)).toContain('sign-in')
  // By the words of whichever language.
  for (const q of ['press key', 'appuyer', 'ضغط مفتاح'])
    expect([q, (await api.list({ q })).data.some(({ type }) => type === 'press-key')]).toEqual([q, true])
  const first = await api.list({ sortBy: 'type', sortDesc: 'true', perPage: '1' })
  expect(first.data[0]?.type).toBe([...listed].sort().at(-1))
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

test('a custom activity is made, published as versions, placed, switched off, and upgraded in its users', async () => {
  const admin = await server.as('administrator')
  const makes = admin.api(activities)
  const bodies = admin.api(workflows)
  const ann = await server.as('operator', 'ann')
  const flows = ann.api(workflows)
  await expect(ann.api(activities).create({ name: 'Mine', category: 'page' })).rejects.toMatchObject({
    code: 'access.denied',
  })

  const made = await makes.create({
    name: 'Greet',
    category: 'report',
    draft: wire(greets(['who', 'tone'], ['said', 'length'])),
  })
  expect(made).toMatchObject({ builtIn: false, activityVersion: null, can: ['update', 'delete'] })
  const { id } = made
  expect((await flows.list({ perPage: 100 })).data.some((row) => row.id === id)).toBe(false)
  const body = await bodies.get({ id })
  expect(body.kind).toBe('activity')
  await expect(flows.get({ id })).rejects.toMatchObject({ code: 'record.not_found' })
  await bodies.publish({ id, version: body.version })
  // Everybody who sees the catalogue finds it, with its parameters and results.
  expect(await ann.api(activities).get({ id })).toMatchObject({
    name: 'Greet',
    activityVersion: 1,
    parameters: [{ name: 'who' }, { name: 'tone' }],
    outputs: [{ name: 'length' }, { name: 'said' }],
    can: [],
  })

  const places = (version: number, ...given: string[]) => wire(uses(id, version, given))
  const wrong = await flows.create({ name: 'Wrong', draft: places(7, 'who') })
  expect(wrong.problems).toMatchObject([{ code: 'workflow.custom_unknown' }])
  const flow = await flows.create({ name: 'Greets', draft: places(1, 'who', 'nobody') })
  expect(flow.problems).toMatchObject([{ code: 'workflow.parameter_unknown', params: { name: 'nobody' } }])
  const saved = await flows.update({ id: flow.id, version: flow.version, draft: places(1, 'who', 'tone') })
  await flows.publish({ id: flow.id, version: saved.version })
  await expect(makes.remove({ id })).rejects.toMatchObject({ code: 'record.in_use' })

  // The second version has no tone any more, and gives something new.
  const second = await bodies.update({
    id,
    version: body.version,
    draft: wire(greets(['who', 'title', 'place'], ['said'], ['who', 'place'])),
  })
  await bodies.publish({ id, version: second.version })
  const [user] = await ann
    .api(activities)
    .users({ id })
    .then((all) => all.filter(({ name }) => name === 'Greets'))
  expect(user).toMatchObject({
    workflowId: flow.id,
    released: [1],
    steps: [
      {
        stepId: 'greet',
        from: 1,
        added: [{ name: 'title' }, { name: 'place' }],
        removed: ['tone'],
        // Who takes this version has an invalid step until it says where.
        missing: ['place'],
        inUse: ['tone'],
      },
    ],
    can: ['update'],
  })
  const upgrade = async (version: number, to = 2) =>
    ann.api(activities).upgrade({ id, to, workflows: [{ id: flow.id, version }] })
  await expect(upgrade(saved.version)).rejects.toMatchObject({ code: 'activity.parameter_in_use' })
  await expect(upgrade(saved.version, 1)).rejects.toMatchObject({ code: 'activity.newer_version' })
  const mended = await flows.update({ id: flow.id, version: saved.version, draft: places(1, 'who') })
  await expect(upgrade(saved.version)).rejects.toMatchObject({ code: 'record.stale' })
  await upgrade(mended.version)
  const after = await flows.get({ id: flow.id })
  expect(after).toMatchObject({
    problems: [{ code: 'workflow.parameter_missing', params: { name: 'place' } }],
    version: mended.version + 1,
  })
  expect(
    (await ann.api(activities).users({ id })).find(({ workflowId }) => workflowId === flow.id),
  ).toMatchObject({
    released: [1],
    steps: [{ stepId: 'greet', from: 2, added: [], removed: [], missing: ['place'], inUse: [] }],
  })
  await flows.update({ id: flow.id, version: after.version, draft: places(2, 'who', 'place') })
  // What was released stays as it was.
  expect((await ann.api(activities).get({ id, number: 1 })).parameters).toMatchObject([
    { name: 'who' },
    { name: 'tone' },
  ])

  const now = await makes.get({ id })
  const off = await makes.update({ id, version: now.version, enabled: false, name: 'Greet somebody' })
  expect(off).toMatchObject({ enabled: false, name: 'Greet somebody' })
  expect((await flows.get({ id: flow.id })).problems).toMatchObject([
    { code: 'workflow.activity_disabled', params: { type: 'Greet' } },
  ])
  const held = await server.deps.db.execute(sql`select held_back_by(${flow.id}::uuid, 1) as by`)
  expect(held.rows).toEqual([{ by: id }])
  await makes.update({ id, version: off.version, enabled: true })
  // What its body does counts as well.
  const log = await makes.get({ id: 'log' })
  const logOff = await makes.update({ id: 'log', version: log.version, enabled: false })
  const inside = await server.deps.db.execute(sql`select held_back_by(${flow.id}::uuid, 1) as by`)
  expect(inside.rows).toEqual([{ by: 'log' }])
  await makes.update({ id: 'log', version: logOff.version, enabled: true })

  await expect(makes.update({ id: 'log', version: logOff.version + 1, name: 'x' })).rejects.toMatchObject({
    code: 'activity.built_in',
  })
  await expect(makes.remove({ id: 'log' })).rejects.toMatchObject({ code: 'activity.built_in' })
  const spare = await makes.create({ name: 'Spare', category: 'flow' })
  await makes.remove({ id: spare.id })
  await expect(makes.get({ id: spare.id })).rejects.toMatchObject({ code: 'record.not_found' })
})

const wire = (document: WorkflowDocument) => ({ ...encodeDocument(document) })

/** The body of an activity that logs, and gives results. */
function greets(parameters: string[], results: string[], required = ['who']): WorkflowDocument {
  const outputs = results.map((name) => ({ name, value: '{{ inputs.who }}' }))
  return {
    ...emptyDocument(),
    inputs: parameters.map((name) => ({ name, type: 'text', required: required.includes(name) })),
    start: 'say',
    activities: [
      { id: 'say', type: 'log', typeVersion: 1, state: { message: 'Hello {{ inputs.who }}' } },
      { id: 'end', type: 'finish', typeVersion: 1, state: { outputs } },
    ],
    connections: [{ from: 'say', outcome: 'done', to: 'end' }],
  }
}

/** A workflow of one step, which is of a custom activity. */
function uses(activityId: string, version: number, given: string[]): WorkflowDocument {
  const inputs = given.map((name) => ({ name, value: 'Ada' }))
  const step = { id: 'greet', name: 'Greet', type: 'custom-activity', typeVersion: 1 }
  return {
    ...emptyDocument(),
    start: 'greet',
    activities: [{ ...step, state: { activityId, version, inputs } }],
  }
}

async function figure(id: string, role: 'operator' | 'administrator') {
  const all = await (await server.as(role)).api(activities).figures({})
  return all.find((one) => one.id === id)
}

function clicks() {
  const state = { targets: [{ by: 'text', text: 'Go' }] }
  return { ...emptyDocument(), start: 'go', activities: [{ id: 'go', type: 'click', typeVersion: 1, state }] }
}
