import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { notifications } from '@weft/contract/notifications/api'
import { questions } from '@weft/contract/questions/api'
import type { Question } from '@weft/workflow/question'
import { lookOut } from '../features/notifications/look-out.ts'
import { eventually, Ground, refusal } from './testing/ground.ts'
import type { HandAgent, Holder } from './testing/hand-agent.ts'

let ground: Ground
let agent: HandAgent

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())
beforeEach(async () => {
  agent = await ground.agent()
})
afterEach(() => agent.leave())

const STATE = { held: { secret: 'hunter-twice' }, pages: [] }
const QUESTION: Question = {
  title: 'May it be sent?',
  text: 'Order 7',
  fields: [
    { name: 'send', label: 'Send', kind: 'boolean', required: true, options: [] },
    { name: 'to', label: 'To', kind: 'choice', required: false, options: ['A', 'B'] },
  ],
  who: 'runners',
  names: [],
}

const wait = (seconds: number, question: Question | null = null) => ({
  kind: question ? ('question' as const) : ('time' as const),
  seconds,
  stepId: 'wait',
  stepName: 'Wait',
  path: 'wait',
  question,
})

/** The agent ends a run that leaves to wait. */
const hold = (holder: Holder, seconds: number, question: Question | null = null, eventCount = 0) =>
  agent.finish(holder, { result: 'held', eventCount, hold: { ...wait(seconds, question), state: STATE } })

/** Lets the time of all holds of a campaign's items be over. */
const lapse = (id: string) =>
  ground.server.deps.db.execute(sql`
    with over as (update run_hold set due_at = now() - interval '1 second'
      where id in (select hold_id from campaign_item where campaign_id = ${id}) returning id)
    update campaign_item set ready_at = now() - interval '1 second' where hold_id in (select id from over)`)

const asked = async (by: Ground = ground) =>
  (await by.person.api(questions).list({ state: ['open'], perPage: 100 })).data

it('holds an item until its time, frees the client meanwhile, and goes on where it was as the same attempt', async () => {
  const id = await ground.campaign(2, [agent])
  const first = await agent.begin()
  expect(await hold(first, 3600)).toMatchObject({ status: 'accepted' })
  expect((await ground.runs.get({ id: first.runId })).result).toBe('held')
  // The slot and the leases are free: the second item begins.
  const second = await agent.begin()
  expect(second.job.itemSeq).toBe(2)
  const held = await ground.item(id)
  expect(held).toMatchObject({ state: 'ready', attempt: 0, waitReasons: [{ code: 'wait.held' }] })
  expect(Date.parse(String(held.waitReasons[0]?.params['until']))).toBeGreaterThan(Date.now() + 3_000_000)
  await agent.finish(second)
  await agent.nothing()
  await lapse(id)
  const again = await agent.begin()
  expect(again.job).toMatchObject({
    attempt: first.job.attempt,
    itemSeq: 1,
    startAt: null,
    goOn: { state: STATE, end: { ending: 'due', answers: {}, by: null }, snapshot: null },
  })
  await agent.finish(again)
  await ground.reaches(id, 'finished')
  expect(await ground.itemStates(id)).toEqual(['done', 'done'])
  const sealed = await ground.rows(sql`select state from run_hold`, z.object({ state: z.string() }))
  expect(JSON.stringify(sealed)).not.toContain('hunter')
})

it('fails a run that leaves more than may be kept, and takes the ends that come with it', async () => {
  const broad = await ground.agent(2)
  const id = await ground.campaign(2, [broad])
  const [large, small] = [await broad.begin(), await broad.begin()]
  const leaving = ({ runId, leaseToken }: Holder, state: Record<string, unknown>) => ({
    runId,
    leaseToken,
    result: 'held' as const,
    error: null,
    outputs: {},
    eventCount: 0,
    logBytes: 0,
    browser: null,
    hold: { ...wait(3600), state },
  })
  const much = leaving(large, { ...STATE, much: 'x'.repeat(1024 * 1024) })
  const { results } = await broad.calls.finish({ runs: [much, leaving(small, STATE)] })
  expect(results.map(({ status }) => status)).toEqual(['accepted', 'accepted'])
  // Told again, since the answer was lost on its way.
  expect((await broad.calls.finish({ runs: [much] })).results).toMatchObject([{ status: 'accepted' }])
  expect(await ground.runs.get({ id: large.runId })).toMatchObject({
    result: 'failed',
    error: { class: 'TooLarge', stepId: 'wait' },
  })
  expect((await ground.runs.get({ id: small.runId })).result).toBe('held')
  await ground.campaigns.cancel({ id })
  await ground.itemsReach(id, 'failed', 'cancelled')
  await broad.leave()
})

it('goes on from the hold when the run after it is lost, and asks after an irreversible step before it', async () => {
  const id = await ground.campaign(1, [agent], { errors: { attempts: 2, backoffSeconds: 0 } })
  const first = await agent.begin()
  await hold(first, 3600)
  await lapse(id)
  const lost = await agent.begin()
  await ground.loseLease(lost.runId)
  const again = await agent.begin()
  expect(again.job.goOn).toMatchObject({ state: STATE, end: { ending: 'due' } })
  await agent.tell(again, 1, { type: 'stepStarted' }, { type: 'intent' }, { type: 'confirm', effect: 'done' })
  await hold(again, 3600, null, 3)
  await lapse(id)
  await agent.fail(await agent.begin())
  await ground.itemsReach(id, 'uncertain')
})

it('cancels what is held, and has a person decide after an irreversible step', async () => {
  const id = await ground.campaign(2, [agent])
  await hold(await agent.begin(), 3600, QUESTION)
  const sure = await agent.begin()
  await agent.tell(sure, 1, { type: 'stepStarted' }, { type: 'intent' }, { type: 'confirm', effect: 'done' })
  await hold(sure, 3600, null, 3)
  const open = (await asked()).find(({ campaignId }) => campaignId === id)
  await ground.campaigns.cancel({ id })
  await ground.itemsReach(id, 'cancelled', 'uncertain')
  const calls = ground.person.api(questions)
  expect(await calls.get({ id: String(open?.id) })).toMatchObject({ state: 'withdrawn', can: [] })
  expect(await refusal(calls.answer({ id: String(open?.id), answers: { send: true } }))).toBe(
    '409 run.wrong_state',
  )
})

it('waits while the campaign is paused, and goes on once it is resumed', async () => {
  const id = await ground.campaign(1, [agent])
  await hold(await agent.begin(), 3600)
  await ground.campaigns.pause({ id })
  await ground.reaches(id, 'paused')
  await lapse(id)
  await agent.nothing()
  await ground.campaigns.resume({ id })
  await agent.finish(await agent.begin())
  await ground.reaches(id, 'finished')
})

it('is not taken from a run that says nothing of where it stands', async () => {
  await ground.campaign(1, [agent])
  const first = await agent.begin()
  expect(await agent.finish(first, { result: 'held' })).toMatchObject({ status: 'superseded' })
  await agent.finish(first)
})

it('asks those who may run the campaign; the first answer counts, and the run goes on with it', async () => {
  const id = await ground.campaign(1, [agent])
  await hold(await agent.begin(), 3600, QUESTION)
  expect((await ground.item(id)).waitReasons).toMatchObject([
    { code: 'wait.answer', params: { title: QUESTION.title } },
  ])
  const [open] = await asked()
  const questionId = String(open?.id)
  expect(open).toMatchObject({ title: QUESTION.title, state: 'open', can: ['answer'], pictureId: null })
  const neighbour = await ground.neighbour('nora')
  expect(await asked(neighbour)).toEqual([])
  const theirs = neighbour.person.api(questions)
  expect(await refusal(theirs.get({ id: questionId }))).toBe('404 record.not_found')
  expect(await refusal(theirs.answer({ id: questionId, answers: { send: true } }))).toBe(
    '404 record.not_found',
  )
  const calls = ground.person.api(questions)
  const wrong: Record<string, string | number | boolean>[] = [
    {},
    { send: 'yes' },
    { send: true, to: 'C' },
    { send: true, more: 1 },
  ]
  for (const answers of wrong)
    expect(await refusal(calls.answer({ id: questionId, answers }))).toBe('422 request.invalid')
  const both = await Promise.all(
    [true, false].map((send) => refusal(calls.answer({ id: questionId, answers: { send, to: 'B' } }))),
  )
  expect(new Set(both)).toEqual(new Set(['409 run.wrong_state', 'no error']))
  const send = both[0] === 'no error'
  const again = await agent.begin()
  expect(again.job.goOn?.end).toEqual({ ending: 'answered', answers: { send, to: 'B' }, by: 'ann' })
  await agent.finish(again)
  await ground.reaches(id, 'finished')
  expect(await calls.get({ id: questionId })).toMatchObject({
    state: 'answered',
    answers: { send, to: 'B' },
    answeredByName: expect.any(String),
    can: [],
  })
})

it('goes on without an answer once the time is up', async () => {
  const id = await ground.campaign(1, [agent])
  await hold(await agent.begin(), 3600, QUESTION)
  const open = (await asked()).find(({ campaignId }) => campaignId === id)
  await lapse(id)
  const calls = ground.person.api(questions)
  expect(await refusal(calls.answer({ id: String(open?.id), answers: { send: true } }))).toBe(
    '409 run.wrong_state',
  )
  const again = await agent.begin()
  expect(again.job.goOn?.end).toEqual({ ending: 'timed_out', answers: {}, by: null })
  await agent.finish(again)
  expect(await calls.get({ id: String(open?.id) })).toMatchObject({ state: 'timed_out' })
})

it('is answered by named people alone, and tells those who may answer', async () => {
  const id = await ground.campaign(2, [agent])
  const named = (title: string, names: string[]): Question => ({ ...QUESTION, title, who: 'people', names })
  await hold(await agent.begin(), 3600, named('Not you', ['otto']))
  await hold(await agent.begin(), 3600, named('You', ['otto', 'ann']))
  const mine = async () => (await asked()).filter(({ campaignId }) => campaignId === id)
  expect(await mine()).toMatchObject([{ title: 'You', can: ['answer'] }])
  // Whoever is named and does not see the campaign is not asked.
  const otto = await ground.neighbour('otto')
  expect(await asked(otto)).toEqual([])
  await lookOut(ground.server.deps.db)
  await lookOut(ground.server.deps.db)
  const told = async (by: Ground) =>
    (await by.person.api(notifications).list({ perPage: 100 })).data
      .filter(({ kind, params }) => kind === 'question.asked' && String(params['question']).endsWith('ou'))
      .map(({ params, feature, count }) => [params['question'], feature, count])
  expect(await told(ground)).toEqual([['You', 'questions', 1]])
  expect(await told(otto)).toEqual([])
  await ground.campaigns.cancel({ id })
})

it('waits without leaving where the agent asks so, until it is answered', async () => {
  const id = await ground.campaign(1, [agent])
  const { runId, leaseToken } = await agent.begin()
  const ask = () => agent.calls.wait({ id: runId, leaseToken, seq: 1, wait: wait(3600, QUESTION) })
  expect(await ask()).toEqual({ end: null })
  // A row that is written has another `xmin`: asking each second writes nothing.
  const written = () =>
    ground.rows(
      sql`select xmin::text, ending from run_hold where run_id = ${runId} order by seq`,
      z.object({ xmin: z.string(), ending: z.string().nullable() }),
    )
  const before = await written()
  expect(await ask()).toEqual({ end: null })
  expect(await written()).toEqual(before)
  const open = (await asked()).find((question) => question.campaignId === id)
  await ground.person.api(questions).answer({ id: String(open?.id), answers: { send: false } })
  await eventually(async () =>
    expect(await ask()).toEqual({
      end: { ending: 'answered', answers: { send: false, to: null }, by: 'ann' },
    }),
  )
  expect((await written())[0]).toMatchObject({ ending: 'answered' })
  const brief = () => agent.calls.wait({ id: runId, leaseToken, seq: 3, wait: wait(0.2) })
  expect(await brief()).toEqual({ end: null })
  await eventually(async () => expect(await brief()).toMatchObject({ end: { ending: 'due' } }))
  const over = await written()
  expect(over).toMatchObject([{}, { ending: 'due' }])
  await brief()
  expect(await written()).toEqual(over)
  const half = { ...wait(60), kind: 'question' as const }
  expect(await refusal(agent.calls.wait({ id: runId, leaseToken, seq: 2, wait: half }))).toBe(
    '422 request.invalid',
  )
  const other = { id: runId, leaseToken: 'another', seq: 2, wait: wait(60) }
  expect(await refusal(agent.calls.wait(other))).toBe('404 agent.unknown_run')
  await agent.finish({ runId, leaseToken })
})
