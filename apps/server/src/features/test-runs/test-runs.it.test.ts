import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ClientOf } from '@weft/contract/core/client'
import type { HubEnvelope } from '@weft/contract/core/events'
import type { InputOf } from '@weft/contract/core/endpoint'
import { profiles } from '@weft/contract/profiles/api'
import { questions } from '@weft/contract/questions/api'
import { testRuns } from '@weft/contract/test-runs/api'
import { PIN_LIMITS, TEST_RUNS_KEPT, testRunMessageSchema } from '@weft/contract/test-runs/schema'
import { workflows } from '@weft/contract/workflows/api'
import { emptyDocument, type WorkflowDocument } from '@weft/workflow/document'
import { decodeDocument, encodeDocument } from '@weft/workflow/state-codec'
import { eventually, Ground, refusal, unique } from '../../engine/testing/ground.ts'
import { only, type HandAgent, type Holder } from '../../engine/testing/hand-agent.ts'

type StartInput = InputOf<typeof testRuns.start>

let ground: Ground
let tests: ClientOf<typeof testRuns>
let agent: HandAgent

beforeAll(async () => {
  ground = await Ground.open()
  tests = ground.person.api(testRuns)
})
afterAll(() => ground.server.stop())
beforeEach(async () => {
  agent = await ground.agent()
  await agent.beat()
})
afterEach(() => agent.leave())

const log = (id: string, message: string) => ({ id, type: 'log', typeVersion: 1, state: { message } })
const ask = {
  id: 'ask',
  type: 'http-request',
  typeVersion: 1,
  state: { method: 'GET', url: 'https://a.example/' },
}
const say = log('say', 'got {{ steps.ask.status }}')
const broken = { id: 'broken', type: 'open-page', typeVersion: 1, state: {} }
const chain = (activities: WorkflowDocument['activities'], rest: Partial<WorkflowDocument> = {}) => ({
  ...encodeDocument({
    ...emptyDocument(),
    start: activities[0]?.id ?? null,
    activities,
    connections: activities
      .slice(1)
      .map(({ id }, index) => ({ from: activities[index]?.id ?? '', outcome: 'done', to: id })),
    ...rest,
  }),
})
const whole = { kind: 'whole' } as const
const step = (activityId: string) => ({ kind: 'step', activityId }) as const

async function workflow(of: Ground = ground, draft = chain([ask, say])): Promise<string> {
  return (await of.person.api(workflows).create({ name: `Tested ${unique()}`, draft })).id
}
const start = (workflowId: string, rest: Partial<StartInput> = {}) =>
  tests.start({ workflowId, scope: whole, clientId: agent.clientId, ...rest })

/** Ends a test run as its agent does: events with outputs, then the values. */
async function end(holder: Holder, steps: Record<string, Record<string, unknown>>, vars = {}) {
  const events = Object.entries(steps).flatMap(([stepId, output], index) => {
    const common = { at: new Date().toISOString(), path: stepId, stepId, attempt: 1 }
    const started = {
      type: 'stepStarted',
      name: stepId,
      activity: 'log',
      input: {},
      seq: index * 2 + 1,
    } as const
    const finished = {
      type: 'stepFinished',
      state: 'succeeded',
      outcome: 'done',
      error: null,
      seq: index * 2 + 2,
    } as const
    return [
      { ...common, ...started },
      { ...common, ...finished, durationMs: 3, output },
    ]
  })
  const { runId, leaseToken } = holder
  const { results } = await agent.calls.finish({
    runs: [
      {
        runId,
        leaseToken,
        result: 'succeeded',
        error: null,
        outputs: {},
        events,
        eventCount: events.length,
        logBytes: 0,
        browser: null,
        values: { vars, steps, pages: { say: 'https://a.example/shown' } },
      },
    ],
  })
  expect(only(results).status).toBe('accepted')
}

/** Runs a whole workflow once, to its end. */
async function ran(
  workflowId: string,
  steps: Record<string, Record<string, unknown>>,
  vars = {},
): Promise<string> {
  const { id } = await start(workflowId)
  await end(await agent.begin(), steps, vars)
  return id
}

/** What the hub sends to a person in the method of test runs. */
async function listening(of: Ground) {
  const connection = new HubConnectionBuilder()
    .withUrl(`${ground.server.url}/hub`, {
      accessTokenFactory: () => of.person.token,
      transport: HttpTransportType.WebSockets,
    })
    .configureLogging(LogLevel.None)
    .build()
  const heard: z.infer<typeof testRunMessageSchema>[] = []
  connection.on('send', ({ method, message }: HubEnvelope) => {
    if (method === 'testWorkflowLog') heard.push(testRunMessageSchema.parse(message))
  })
  await connection.start()
  return { heard, stop: () => connection.stop() }
}

it('runs what the editor shows, with what was chosen, tells its author live, and counts in no campaign', async () => {
  const profile = await ground.person.api(profiles).create({ name: unique() })
  const accountId = await ground.account({
    profileId: profile.id,
    allowedDomains: ['a.example'],
    password: 'p',
  })
  const workflowId = await workflow()
  const inputs: WorkflowDocument['inputs'] = [
    { name: 'topic', type: 'text', required: true },
    { name: 'key', type: 'text', required: false, secret: true },
  ]
  const document = chain([ask, log('say', 'edited {{ inputs.topic }}')], { inputs })
  const [mine, stranger] = [await listening(ground), await listening(await ground.neighbour(unique()))]
  const given = { topic: 'tea', key: `hidden-${unique()}` }
  const made = await start(workflowId, { document, inputs: given, resources: { accountId } })
  expect(made).toMatchObject({
    workflowId,
    scope: whole,
    mine: true,
    inputs: { topic: 'tea' },
    account: { id: accountId },
    profile: { id: profile.id },
    cycle: 'queued',
    can: ['cancel'],
  })
  const stored = await ground.rows(sql`select t::text as row from test_run t`, z.object({ row: z.string() }))
  expect(stored.map(({ row }) => row).join()).not.toContain(given.key)

  const holder = await agent.begin()
  expect(holder.job).toMatchObject({
    campaign: null,
    workflow: { id: workflowId, release: null },
    test: { part: whole, pins: {} },
    inputs: given,
    account: { id: accountId, secrets: ['password'] },
    profile: { id: profile.id },
    allowedDomains: ['a.example'],
    startAt: null,
  })
  const { document: fetched } = await agent.calls.workflow({ hash: holder.job.workflow?.hash ?? '' })
  expect(fetched).toMatchObject({
    activities: [{ id: 'ask' }, { state: { message: 'edited {{ inputs.topic }}' } }],
  })
  expect((await agent.calls.secret({ ...bare(holder), handle: 'account.password' })).value).toBe('p')
  expect(await refusal(start(workflowId, { document, inputs: given }))).toBe('409 testRun.busy')
  expect((await ground.accounts.get({ id: accountId })).lease).toMatchObject({
    runId: made.id,
    campaignId: null,
  })

  const line = { at: new Date().toISOString(), level: 'info', stepId: 'ask', text: 'hello' }
  await agent.calls.log(
    { id: made.id, leaseToken: holder.leaseToken, offset: 0 },
    { body: new TextEncoder().encode(`${JSON.stringify(line)}\n`) },
  )
  await end(holder, { ask: { status: 200 }, say: {} }, { n: 1 })
  await eventually(async () =>
    expect(mine.heard.at(-1)).toMatchObject({ runId: made.id, workflowId, ended: true }),
  )
  expect(mine.heard.flatMap(({ lines }) => lines)).toEqual([line])
  expect(mine.heard.flatMap(({ steps }) => steps.map(({ stepId, state }) => `${stepId} ${state}`))).toEqual([
    'ask running',
    'ask succeeded',
    'say running',
    'say succeeded',
  ])
  expect(stranger.heard).toEqual([])
  await Promise.all([mine.stop(), stranger.stop()])

  expect(await ground.runs.get({ id: made.id })).toMatchObject({
    workflowId,
    release: null,
    campaignId: null,
    result: 'succeeded',
    steps: [{ stepId: 'ask', output: { status: 200 } }, { stepId: 'say' }],
  })
  expect(await tests.lastValues({ workflowId })).toMatchObject({
    runId: made.id,
    inputs: { topic: 'tea' },
    vars: { n: 1 },
    steps: { ask: { status: 200 } },
    item: { account: { id: accountId }, profile: { id: profile.id }, video: null },
    shortened: [],
  })
  expect(decodeDocument((await tests.document({ id: made.id })).document)).toEqual(decodeDocument(document))
  // The draft is as it was, and the account, whose status a trial does not decide, is free again.
  expect((await ground.person.api(workflows).get({ id: workflowId })).draft.activities[1]).toEqual(
    chain([ask, say]).activities[1],
  )
  expect(await ground.accounts.get({ id: accountId })).toMatchObject({ lease: null, status: 'new' })
  expect((await tests.list({ workflowId })).data.map(({ id }) => id)).toEqual([made.id])
  expect(
    await ground.rows(sql`select secret_inputs from test_run where run_id = ${made.id}`, z.unknown()),
  ).toEqual([{ secret_inputs: null }])
  await expect(
    ground.server.deps.db.execute(sql`update test_run set document = '{}' where run_id = ${made.id}`),
  ).rejects.toThrow()
})

describe('a part', () => {
  it('begins with what the last test run left, and with what is pinned', async () => {
    const workflowId = await workflow()
    const first = await ran(workflowId, { ask: { status: 201 }, say: {} }, { n: 2 })
    expect(await tests.setPin({ workflowId, activityId: 'ask', runId: first })).toMatchObject({
      activityId: 'ask',
      output: { status: 201 },
    })
    expect(await tests.pins({ workflowId })).toHaveLength(1)
    // A half-written step elsewhere hinders neither.
    const document = chain([ask, say, broken])
    expect((await start(workflowId, { document, scope: step('say') })).pinned).toEqual(['ask'])
    const one = await agent.begin()
    expect(one.job.test).toEqual({
      part: step('say'),
      pins: { ask: { status: 201 } },
      page: 'https://a.example/shown',
      expectations: [],
    })
    expect(JSON.parse(one.job.startAt ?? '')).toEqual({
      stepId: 'say',
      path: [],
      vars: { n: 2 },
      steps: { ask: { status: 201 }, say: {} },
    })
    await agent.fail(one)
    // Whoever tries out the pinned step itself wants it performed.
    await start(workflowId, { scope: step('ask') })
    const pinned = await agent.begin()
    expect(pinned.job.test).toMatchObject({ pins: {}, page: null })
    await agent.finish(pinned)
    expect(await refusal(start(workflowId, { document, scope: { kind: 'from', activityId: 'say' } }))).toBe(
      '422 testRun.invalid',
    )
    expect(await tests.removePin({ workflowId, activityId: 'ask' })).toEqual([])
    expect(await tests.removePin({ workflowId, activityId: 'ask' })).toEqual([])
  })

  it('that is not there, is disabled, or lacks an input is refused', async () => {
    const workflowId = await workflow()
    const off = chain([ask, { ...say, disabled: true }])
    expect(await refusal(start(workflowId, { scope: step('gone') }))).toBe('422 testRun.unknown_step')
    expect(await refusal(start(workflowId, { document: off, scope: step('say') }))).toBe(
      '422 testRun.step_disabled',
    )
    const inputs: WorkflowDocument['inputs'] = [{ name: 'n', type: 'number', required: true }]
    const needs = chain([ask, say], { inputs })
    expect(await refusal(start(workflowId, { document: needs }))).toBe('422 request.invalid')
    expect(await refusal(start(workflowId, { document: needs, inputs: { n: 'x' } }))).toBe(
      '422 request.invalid',
    )
    expect(await refusal(start(workflowId, { inputs: { unknown: 1 } }))).toBe('422 request.invalid')
    await start(workflowId, { document: needs, scope: step('say') })
    await agent.finish(await agent.begin())
  })

  it('that cannot be taken back is refused unless it is meant', async () => {
    const workflowId = await workflow()
    const post = {
      id: 'post',
      type: 'click',
      typeVersion: 1,
      name: 'Post it',
      state: { targets: [{ by: 'css', selector: '#go' }], sideEffect: 'irreversible' },
    }
    const document = chain([ask, say, post])
    expect(await refusal(start(workflowId, { document }))).toBe('409 testRun.irreversible')
    await start(workflowId, { document, scope: step('say') })
    await agent.finish(await agent.begin())
    await start(workflowId, { document, allowIrreversible: true })
    await agent.finish(await agent.begin())
    // Nor does it matter in which document the step stands.
    const api = ground.person.api(workflows)
    const called = await api.create({ name: `Called ${unique()}`, draft: document })
    await api.publish({ id: called.id, version: called.version })
    const call = { id: 'call', type: 'call-workflow', typeVersion: 1, state: { workflowId: called.id } }
    const calling = chain([ask, call])
    expect(await refusal(start(workflowId, { document: calling }))).toBe('409 testRun.irreversible')
    // Neither does it help to call what is switched off.
    const { db } = ground.server.deps
    await db.execute(sql`insert into activity_setting (activity, enabled) values ('click', false)`)
    const meant = { document: calling, allowIrreversible: true }
    expect(await refusal(start(workflowId, meant))).toBe('409 activity.disabled')
    expect(await refusal(start(workflowId, { document, allowIrreversible: true }))).toBe(
      '422 testRun.invalid',
    )
    await db.execute(sql`delete from activity_setting where activity = 'click'`)
  })
})

it('and a run of a campaign find what they call, whosever it is, and nothing else of others', async () => {
  const api = ground.person.api(workflows)
  const published = async (draft = chain([log('say', 'here')])) => {
    const made = await api.create({ name: `Called ${unique()}`, draft })
    await api.publish({ id: made.id, version: made.version })
    return made.id
  }
  const call = (id: string) => ({
    id: 'call',
    type: 'call-workflow',
    typeVersion: 1,
    state: { workflowId: id },
  })
  const [innermost, unrelated] = [await published(), await published()]
  const inner = await published(chain([call(innermost)]))
  const outer = await published(chain([call(inner)]))
  const name = unique()
  await ground.neighbour(name)
  const { db } = ground.server.deps
  await db.execute(sql`
    update workflow set owner_id = (select id from app_user where username = ${name}) where id in (${innermost}, ${inner}, ${unrelated})`)
  const finds = async ({ runId: id, leaseToken }: Holder) => {
    const fetched = (calledId: string) => agent.calls.subworkflow({ id, leaseToken, workflowId: calledId })
    expect(await fetched(inner)).toMatchObject({ release: 1, document: { start: 'call' } })
    expect(await fetched(innermost)).toMatchObject({ document: { start: 'say' } })
    expect(await refusal(fetched(unrelated))).toBe('404 record.not_found')
  }
  const campaignId = await ground.campaign(1, [agent], { workflowId: outer })
  const holder = await agent.begin()
  await finds(holder)
  await agent.finish(holder)
  await ground.reaches(campaignId, 'finished')
  await start(await workflow(ground, chain([call(outer)])))
  const tested = await agent.begin()
  await finds(tested)
  await agent.finish(tested)
})

describe('pins', () => {
  it('are refused for what has no output, is too large, or is another person’s', async () => {
    const workflowId = await workflow(
      ground,
      chain([ask, say, { id: 'end', type: 'finish', typeVersion: 1, state: {} }]),
    )
    const runId = await ran(workflowId, { ask: { body: 'x'.repeat(PIN_LIMITS.bytes) } })
    const pin = (activityId: string, of = tests) => refusal(of.setPin({ workflowId, activityId, runId }))
    expect(await pin('ask')).toBe('409 testRun.pin_too_large')
    expect(await pin('say')).toBe('409 testRun.no_output')
    expect(await pin('end')).toBe('422 testRun.not_pinnable')
    expect(await pin('gone')).toBe('422 testRun.unknown_step')
    const stranger = (await ground.neighbour(unique())).person.api(testRuns)
    expect(await pin('ask', stranger)).toBe('404 record.not_found')
    const other = await workflow()
    expect(await refusal(tests.setPin({ workflowId: other, activityId: 'ask', runId }))).toBe(
      '404 record.not_found',
    )
  })
})

describe('a test run', () => {
  it('of another’s workflow, or with another’s things, cannot be started or seen', async () => {
    const stranger = await ground.neighbour(unique())
    const theirs = stranger.person.api(testRuns)
    const workflowId = await workflow()
    const other = await workflow(stranger)
    const scope = whole
    expect(await refusal(start(other))).toBe('404 record.not_found')
    const accountId = await stranger.account()
    expect(await refusal(start(workflowId, { resources: { accountId } }))).toBe('422 link.not_found')
    expect(await refusal(theirs.start({ workflowId: other, scope, clientId: agent.clientId }))).toBe(
      '422 link.not_found',
    )
    expect(await refusal(theirs.start({ workflowId: other, scope }))).toBe('409 testRun.no_client')
    const id = await ran(workflowId, { ask: {} })
    for (const call of [
      () => theirs.document({ id }),
      () => theirs.lastValues({ workflowId }),
      () => theirs.pins({ workflowId }),
      () => theirs.list({ workflowId }),
      () => stranger.runs.get({ id }),
    ])
      expect(await refusal(call())).toBe('404 record.not_found')
    const viewer = await ground.server.as('viewer', unique())
    expect(await refusal(viewer.api(testRuns).start({ workflowId, scope }))).toBe('403 access.denied')
    // Who sees all runs sees this one too, and has no last values of their own.
    expect((await viewer.api(testRuns).list({ workflowId })).data).toMatchObject([
      { id, mine: false, can: [] },
    ])
    expect(await viewer.api(testRuns).lastValues({ workflowId })).toMatchObject({ runId: null })
  })

  it('takes a slot of its client, and an account that is free', async () => {
    const accountId = await ground.account()
    const workflowId = await workflow()
    const { id } = await start(workflowId, { resources: { accountId } })
    // What holds the slot is named with who began it.
    const { name } = await ground.person.api(workflows).get({ id: workflowId })
    const words = `${name} (${ground.person.username})`
    await expect(start(await workflow())).rejects.toMatchObject({
      httpStatus: 409,
      body: {
        code: 'attended.clients_busy_with',
        params: { runs: words },
        errors: [{ path: id, message: words }],
      },
    })
    const second = await ground.agent()
    await second.beat()
    expect(
      await refusal(start(await workflow(), { clientId: second.clientId, resources: { accountId } })),
    ).toBe('409 attended.held')
    // A run of somebody else's that one may not see is not named.
    const admin = await ground.server.as('administrator', unique())
    const theirs = await admin.api(workflows).create({ name: unique(), draft: chain([log('hi', 'hi')]) })
    await admin.api(testRuns).start({ workflowId: theirs.id, scope: whole, clientId: second.clientId })
    expect(await refusal(start(await workflow(), { clientId: second.clientId }))).toBe(
      '409 attended.clients_busy',
    )
    await agent.finish(await agent.begin())
    await second.finish(await second.begin())
    await second.leave()
  })

  it('is stopped by its author, before and after it began', async () => {
    const workflowId = await workflow()
    const early = await start(workflowId)
    expect(await ground.runs.cancel({ id: early.id })).toMatchObject({
      cycle: 'finished',
      result: 'cancelled',
    })
    const late = await start(workflowId)
    const holder = await agent.begin()
    await ground.runs.cancel({ id: late.id })
    expect(await agent.renew(holder)).toMatchObject({ ok: true, cancel: { mode: 'graceful' } })
    await agent.finish(holder, { result: 'cancelled' })
    expect((await tests.list({ workflowId })).data.map(({ result }) => result)).toEqual([
      'cancelled',
      'cancelled',
    ])
  })

  it('whose agent is lost is over, is no hindrance, and leaves what was told', async () => {
    const accountId = await ground.account()
    const workflowId = await workflow()
    const { id } = await start(workflowId, { resources: { accountId } })
    const holder = await agent.begin()
    const common = { at: new Date().toISOString(), path: 'ask', stepId: 'ask', attempt: 1 }
    await agent.calls.report({
      runs: [
        {
          ...bare(holder),
          events: [
            { ...common, seq: 1, type: 'stepStarted', name: 'ask', activity: 'http-request', input: {} },
            {
              ...common,
              seq: 2,
              type: 'stepFinished',
              state: 'succeeded',
              outcome: 'done',
              durationMs: 1,
              output: { status: 204 },
              error: null,
            },
          ],
        },
      ],
    })
    await ground.loseLease(id)
    await eventually(async () => expect((await ground.runs.get({ id })).result).toBe('lost'))
    expect((await ground.accounts.get({ id: accountId })).lease).toBeNull()
    expect(await tests.lastValues({ workflowId })).toMatchObject({
      runId: id,
      steps: { ask: { status: 204 } },
    })
    const again = await start(workflowId, { scope: step('say') })
    // One that no client takes up stays, so that its author is told.
    await ground.loseLease(again.id)
    await eventually(async () => expect((await ground.runs.get({ id: again.id })).result).toBe('lost'))
  })

  it('goes with the oldest and with its workflow, and its runs with it', async () => {
    const workflowId = await workflow()
    const id = await ran(workflowId, { ask: {} })
    const { db } = ground.server.deps
    await db.execute(sql`
      with made as (
        insert into run (id, owner_id, workflow_id, attempt, fence, client_id, held_until, cycle, result, finished_at)
        select gen_random_uuid(), owner_id, workflow_id, 1, 1, client_id, now(), 'finished', 'succeeded', now()
        from run, generate_series(1, ${TEST_RUNS_KEPT}::int) where id = ${id} returning id)
      insert into test_run (run_id, workflow_id, started_by, document, hash, scope, at)
      select made.id, t.workflow_id, t.started_by, t.document, t.hash, t.scope, t.at + interval '1 ms'
      from made, test_run t where t.run_id = ${id}`)
    await start(workflowId)
    await agent.finish(await agent.begin())
    expect((await tests.list({ workflowId })).totalRecord).toBe(TEST_RUNS_KEPT)
    expect(await refusal(ground.runs.get({ id }))).toBe('404 record.not_found')
    await db.execute(sql`delete from workflow where id = ${workflowId}`)
    expect(await ground.rows(sql`select 1 from run where workflow_id = ${workflowId}`, z.unknown())).toEqual(
      [],
    )
  })
})

const bare = ({ runId, leaseToken }: Holder): Holder => ({ runId, leaseToken })

it('tells what it waits for; the wait for a time can be skipped, and who started it may answer whomever it asks', async () => {
  const workflowId = await workflow()
  const { id } = await start(workflowId)
  expect(await tests.waits({ id })).toEqual([])
  const { leaseToken } = await agent.begin()
  const place = { seconds: 3600, stepId: 'ask', stepName: 'Ask', path: 'ask' }
  const sleeps = () =>
    agent.calls.wait({ id, leaseToken, seq: 1, wait: { ...place, kind: 'time', question: null } })
  const question = {
    title: 'May it?',
    text: '',
    fields: [],
    who: 'people' as const,
    names: ['somebody-else'],
  }
  const asks = () =>
    agent.calls.wait({ id, leaseToken, seq: 2, wait: { ...place, kind: 'question', question } })
  expect([await sleeps(), await asks()]).toEqual([{ end: null }, { end: null }])
  const [time, asked] = await tests.waits({ id })
  expect([time, asked]).toMatchObject([
    { kind: 'time', stepId: 'ask', stepName: 'Ask' },
    { kind: 'question' },
  ])
  const [waitId, askedId] = [String(time?.id), String(asked?.id)]
  const stranger = await ground.neighbour(unique())
  const theirs = stranger.person.api(testRuns)
  expect(await refusal(theirs.waits({ id }))).toBe('404 record.not_found')
  expect(await refusal(theirs.skipWait({ id, waitId }))).toBe('404 record.not_found')
  expect(await refusal(stranger.person.api(questions).get({ id: askedId }))).toBe('404 record.not_found')
  expect(await refusal(tests.skipWait({ id, waitId: askedId }))).toBe('404 record.not_found')
  expect(await tests.skipWait({ id, waitId })).toMatchObject([{ kind: 'question' }])
  expect(await refusal(tests.skipWait({ id, waitId }))).toBe('404 record.not_found')
  expect(await sleeps()).toMatchObject({ end: { ending: 'due' } })
  const calls = ground.person.api(questions)
  expect(await calls.get({ id: askedId })).toMatchObject({ can: ['answer'], campaignId: null, runId: id })
  await calls.answer({ id: askedId, answers: {} })
  expect(await asks()).toEqual({ end: { ending: 'answered', answers: {}, by: 'ann' } })
  expect(await tests.waits({ id })).toEqual([])
  // Nothing is skipped once the run is over.
  await agent.calls.wait({ id, leaseToken, seq: 3, wait: { ...place, kind: 'time', question: null } })
  const [last] = await tests.waits({ id })
  await agent.finish({ runId: id, leaseToken })
  expect(await tests.waits({ id })).toEqual([])
  expect(await refusal(tests.skipWait({ id, waitId: String(last?.id) }))).toBe('404 record.not_found')
})
