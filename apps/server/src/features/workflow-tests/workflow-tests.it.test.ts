import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CallError, type ClientOf } from '@weft/contract/core/client'
import type { InputOf } from '@weft/contract/core/endpoint'
import { testRuns } from '@weft/contract/test-runs/api'
import { workflowTests } from '@weft/contract/workflow-tests/api'
import { WORKFLOW_TEST_LIMITS } from '@weft/contract/workflow-tests/schema'
import { workflows } from '@weft/contract/workflows/api'
import { emptyDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { eventually, Ground, refusal, unique } from '../../engine/testing/ground.ts'
import { only, type HandAgent, type Holder } from '../../engine/testing/hand-agent.ts'
import { workflowOf } from '../projects/export.ts'
import { verdictOf } from './view.ts'

let ground: Ground
let tests: ClientOf<typeof workflowTests>
let agent: HandAgent

beforeAll(async () => {
  ground = await Ground.open()
  tests = ground.person.api(workflowTests)
})
afterAll(() => ground.server.stop())
beforeEach(async () => {
  agent = await ground.agent()
  await agent.beat()
})
afterEach(() => agent.leave())

const draft = {
  ...encodeDocument({
    ...emptyDocument(),
    inputs: [
      { name: 'topic', type: 'text', required: true },
      { name: 'key', type: 'text', required: false, secret: true },
    ],
    start: 'say',
    activities: [{ id: 'say', type: 'log', typeVersion: 1, state: { message: '{{ inputs.topic }}' } }],
    connections: [],
  }),
}
const workflow = async (of = ground) =>
  (await of.person.api(workflows).create({ name: `Tested ${unique()}`, draft })).id
const save = async (rest: Partial<InputOf<typeof workflowTests.save>> = {}) =>
  tests.save({
    workflowId: rest.workflowId ?? (await workflow()),
    name: unique(),
    inputs: { topic: 'tea' },
    expectations: [{ label: 'says it', expression: "outputs.said === 'tea'" }, { expression: 'vars.n > 1' }],
    ...rest,
  })

/** Ends the run of a test as its agent does. */
async function end(
  { runId, leaseToken }: Holder,
  checks: { holds: boolean; message: string | null; found?: string; wanted?: string }[],
) {
  const told = { error: null, outputs: {}, eventCount: 0, logBytes: 0, browser: null }
  const values = { vars: {}, steps: {}, pages: {}, checks }
  const { results } = await agent.calls.finish({
    runs: [{ runId, leaseToken, result: 'succeeded', ...told, values }],
  })
  expect(only(results).status).toBe('accepted')
}

it('runs a case with its inputs, and tells how it came out last', async () => {
  const test = await save()
  const { id, workflowId } = test
  expect(test).toMatchObject({ version: 1, expectedResult: 'succeeded', last: null })
  const { id: runId } = await tests.run({ id, inputs: { key: 'k-12345' }, clientId: agent.clientId })
  const holder = await agent.begin()
  expect(holder.job).toMatchObject({
    inputs: { topic: 'tea', key: 'k-12345' },
    test: { part: { kind: 'whole' }, pins: {}, expectations: ["outputs.said === 'tea'", 'vars.n > 1'] },
  })
  expect(only(await tests.list({ workflowId })).last).toMatchObject({ runId, verdict: 'running' })
  await end(holder, [
    { holds: true, message: null },
    { holds: false, message: 'n is not there', found: 'null', wanted: '> 1' },
  ])
  const verdict = async () => only(await tests.list({ workflowId })).last
  expect(await verdict()).toMatchObject({
    verdict: 'failed',
    result: 'succeeded',
    checks: [
      { label: 'says it', holds: true },
      { expression: 'vars.n > 1', holds: false, message: 'n is not there', found: 'null', wanted: '> 1' },
    ],
  })
  // What was expected then stands beside what came of it, whatever is expected now.
  const changed = await save({ id, workflowId, version: 1, name: test.name, expectations: [] })
  expect(changed).toMatchObject({ version: 2, last: { verdict: 'failed', checks: [{}, {}] } })
  await tests.run({ id, clientId: agent.clientId })
  await end(await agent.begin(), [])
  expect(await verdict()).toMatchObject({ verdict: 'passed', checks: [] })
  await tests.remove({ id })
  expect(await tests.list({ workflowId })).toEqual([])
  expect((await ground.person.api(testRuns).list({ workflowId })).totalRecord).toBe(2)
})

it('is undecided where the agent of its run was lost', async () => {
  const { id, workflowId } = await save()
  const { id: runId } = await tests.run({ id, clientId: agent.clientId })
  await agent.begin()
  await ground.loseLease(runId)
  await eventually(async () =>
    expect(only(await tests.list({ workflowId })).last).toMatchObject({
      verdict: 'undecided',
      checks: [{ holds: null }, { holds: null }],
    }),
  )
})

describe('a release', () => {
  const api = () => ground.person.api(workflows)
  const pass = async (id: string) => {
    await tests.run({ id, clientId: agent.clientId })
    await end(await agent.begin(), [])
  }
  const standing = async (workflowId: string) =>
    (await tests.list({ workflowId })).map(({ name, last, revision }) => [
      name,
      last?.verdict,
      last?.revision === revision,
    ])

  it('tells how the tests stood, and where the workflow asks for it needs every one of them to have passed', async () => {
    const workflowId = await workflow()
    const one = await save({ workflowId, name: 'One', expectations: [] })
    const two = await save({ workflowId, name: 'Two', expectations: [] })
    await pass(one.id)
    const { version } = await api().get({ id: workflowId })
    // Somebody may ask for it this once.
    const must = { id: workflowId, version, testsMustPass: true }
    expect(await api().publish(must).catch(told)).toEqual({
      code: 'workflowTest.not_passed',
      params: { count: 1, names: 'Two' },
      errors: [{ path: two.id, code: 'never', message: 'Two' }],
    })
    expect((await api().publish({ id: workflowId, version })).tests).toEqual({
      passed: 1,
      others: [{ name: 'Two', standing: 'never' }],
    })

    const asking = await api().update({
      id: workflowId,
      version,
      testsMustPass: true,
      draft: { ...draft, variables: [{ name: 'n', type: 'number' }] },
    })
    expect(asking).toMatchObject({ testsMustPass: true, hasUnpublishedChanges: true })
    const publish = () => api().publish({ id: workflowId, version: asking.version })
    await pass(two.id)
    // What passed did so on another draft.
    expect(await publish().catch(told)).toMatchObject({ errors: [{ code: 'stale', message: 'One' }] })
    await pass(one.id)
    // A new name is no change of a test; what it expects is.
    const renamed = await save({ id: two.id, workflowId, name: 'Too', expectations: [] })
    expect(await standing(workflowId)).toEqual([
      ['One', 'passed', true],
      ['Too', 'passed', true],
    ])
    await save({ ...kept(renamed), expectations: [{ label: '', expression: 'vars.n > 1' }] })
    expect(await publish().catch(told)).toMatchObject({ errors: [{ code: 'stale', message: 'Too' }] })
    await tests.run({ id: two.id, clientId: agent.clientId })
    const holder = await agent.begin()
    expect(await publish().catch(told)).toMatchObject({ errors: [{ code: 'running' }] })
    await end(holder, [{ holds: false, message: null }])
    expect(await publish().catch(told)).toMatchObject({ errors: [{ code: 'failed' }] })
    await tests.run({ id: two.id, clientId: agent.clientId })
    await end(await agent.begin(), [{ holds: true, message: null }])
    expect((await publish()).tests).toEqual({ passed: 2, others: [] })
    const { data } = await api().releases({ id: workflowId })
    expect(data.map((release) => [release.number, release.tests?.passed])).toEqual([
      [2, 2],
      [1, 1],
    ])
  })

  it('without tests says nothing of them; only who may publish decides what it needs', async () => {
    const made = await api().get({ id: await workflow() })
    const { id, version } = await api().update({ id: made.id, version: made.version, testsMustPass: true })
    expect((await api().publish({ id, version })).tests).toBeNull()
    const author = await ground.server.withRules(unique(), [
      { action: ['VIEW', 'UPDATE'], subject: 'WORKFLOW' },
    ])
    const theirs = author.api(workflows)
    expect(await refusal(theirs.update({ id, version, testsMustPass: false }))).toBe('403 access.denied')
    expect(await theirs.update({ id, version, notes: 'Seen', testsMustPass: true })).toMatchObject({
      testsMustPass: true,
      can: ['update'],
    })
  })
})

const kept = ({ id, workflowId, name }: { id: string; workflowId: string; name: string }) => ({
  id,
  workflowId,
  name,
})
const told = (error: unknown) => {
  if (!(error instanceof CallError)) return error
  const { code, params, errors } = error.body
  return { code, params, errors }
}

it('shows, runs and exports no value of an input that was made secret after it was kept', async () => {
  const { id, workflowId } = await save()
  const opened = { ...draft, inputs: [{ name: 'topic', type: 'text', secret: true }] }
  const api = ground.person.api(workflows)
  const { version } = await api.get({ id: workflowId })
  await api.update({ id: workflowId, version, draft: opened })
  expect(only(await tests.list({ workflowId })).inputs).toEqual({})
  const file = await ground.server.deps.db.transaction((tx) => workflowOf(tx, workflowId))
  expect(file?.tests).toMatchObject([{ inputs: {} }])
  await tests.run({ id, inputs: { topic: 'coffee' }, clientId: agent.clientId })
  const holder = await agent.begin()
  expect(holder.job.inputs).toEqual({ topic: 'coffee' })
  await end(holder, [])
})

describe('what is refused', () => {
  it('is a name twice, a secret input, an old version, too many, another’s', async () => {
    const { id, workflowId, name } = await save()
    expect(await refusal(save({ workflowId, name }))).toBe('409 workflowTest.name_taken')
    expect(await refusal(save({ workflowId, inputs: { key: 'secret' } }))).toBe('422 request.invalid')
    expect(await refusal(save({ workflowId, expectations: [{ expression: '' }] }))).toBe(
      '422 request.invalid',
    )
    await save({ id, workflowId, name })
    expect(await refusal(save({ id, workflowId, name, version: 1 }))).toBe('409 record.stale')
    expect(await refusal(save({ id, workflowId: await workflow(), name }))).toBe('404 record.not_found')
    const stranger = await ground.neighbour(unique())
    const theirs = stranger.person.api(workflowTests)
    for (const call of [
      () => theirs.list({ workflowId }),
      () => theirs.save({ workflowId, name: 'x' }),
      () => theirs.remove({ id }),
      () => theirs.run({ id }),
    ])
      expect(await refusal(call())).toBe('404 record.not_found')
    await ground.server.deps.db.execute(sql`
      insert into workflow_test (id, workflow_id, name)
      select gen_random_uuid(), ${workflowId}, 'Case ' || n from generate_series(2, ${WORKFLOW_TEST_LIMITS.tests}::int) n`)
    expect(await refusal(save({ workflowId }))).toBe('409 workflowTest.too_many')
    // A test with other inputs would be another test.
    expect(await refusal(tests.run({ id, inputs: { topic: 'tea' } }))).toBe('422 request.invalid')
  })
})

describe('a verdict', () => {
  const finished = { cycle: 'finished', expected: 'failed', checks: [] } as const
  it('needs the end that was expected, and everything to hold', () => {
    expect(verdictOf({ ...finished, result: 'failed' })).toBe('passed')
    expect(verdictOf({ ...finished, result: 'succeeded' })).toBe('failed')
    expect(verdictOf({ ...finished, result: 'timed_out' })).toBe('failed')
    expect(verdictOf({ ...finished, result: 'failed', checks: [{ holds: null }] })).toBe('failed')
    expect(verdictOf({ ...finished, result: 'cancelled' })).toBe('undecided')
    expect(verdictOf({ ...finished, cycle: 'running', result: null })).toBe('running')
  })
})
