import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ClientOf } from '@weft/contract/core/client'
import type { InputOf } from '@weft/contract/core/endpoint'
import { testRuns } from '@weft/contract/test-runs/api'
import { workflowTests } from '@weft/contract/workflow-tests/api'
import { WORKFLOW_TEST_LIMITS } from '@weft/contract/workflow-tests/schema'
import { workflows } from '@weft/contract/workflows/api'
import { emptyDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { eventually, Ground, refusal, unique } from '../../engine/testing/ground.ts'
import { only, type HandAgent, type Holder } from '../../engine/testing/hand-agent.ts'
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
async function end({ runId, leaseToken }: Holder, checks: { holds: boolean; message: string | null }[]) {
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
    { holds: false, message: 'n is not there' },
  ])
  const verdict = async () => only(await tests.list({ workflowId })).last
  expect(await verdict()).toMatchObject({
    verdict: 'failed',
    result: 'succeeded',
    checks: [
      { label: 'says it', holds: true },
      { expression: 'vars.n > 1', holds: false, message: 'n is not there' },
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
    expect(await refusal(tests.run({ id, inputs: { topic: 1 } }))).toBe('422 request.invalid')
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
