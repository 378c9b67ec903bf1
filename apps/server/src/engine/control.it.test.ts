import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { activities } from '@weft/contract/activities/api'
import { workflows } from '@weft/contract/workflows/api'
import { emptyDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { Ground, refusal } from './testing/ground.ts'
import { only, type HandAgent } from './testing/hand-agent.ts'
import { openPage, type OpenPage } from './testing/page.ts'

let ground: Ground
let agent: HandAgent
let page: OpenPage

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())
beforeEach(async () => {
  agent = await ground.agent()
  page = await openPage(ground.server.url, ground.person)
})
afterEach(async () => {
  await agent.leave()
  await page.close()
})

const hears = (...changes: string[]) => expect.poll(page.told).toEqual(expect.arrayContaining(changes))

describe('a campaign that is paused', () => {
  it('finishes what is under way, begins nothing, says why, and goes on', async () => {
    const id = await ground.campaign(3, [agent])
    const holder = await agent.begin()
    expect(await ground.campaigns.pause({ id })).toMatchObject({
      state: 'pausing',
      can: expect.arrayContaining(['resume']),
    })
    expect(await refusal(ground.campaigns.pause({ id }))).toBe('409 campaign.wrong_state')
    expect(await ground.waits(id)).toEqual({ 2: ['wait.campaign_paused'], 3: ['wait.campaign_paused'] })
    await agent.finish(holder)
    await ground.reaches(id, 'paused')
    expect(await ground.campaignOf(id)).toMatchObject({
      stateReason: 'operator',
      tally: { done: 1, ready: 2 },
    })
    await agent.nothing()
    expect((await ground.campaigns.resume({ id })).state).toBe('running')
    const next = await agent.begin()
    // Going on before the pause has settled is possible as well.
    await ground.campaigns.pause({ id })
    expect((await ground.campaigns.resume({ id })).state).toBe('running')
    await agent.finish(next)
    await agent.finish(await agent.begin())
    await ground.reaches(id, 'finished')
    expect(await refusal(ground.campaigns.resume({ id }))).toBe('409 campaign.wrong_state')
    await hears(`campaigns updated ${id}`, `runs progress ${holder.runId}`)
  })

  it('takes back what was only offered', async () => {
    const id = await ground.campaign(2, [agent])
    const offered = await agent.offer()
    await ground.campaigns.pause({ id })
    await ground.reaches(id, 'paused')
    expect(await ground.items(id)).toMatchObject([
      { state: 'ready', attempt: 0 },
      { state: 'ready', attempt: 0 },
    ])
    const { results } = await agent.calls.claim({ claims: [offered] })
    expect(results).toMatchObject([{ ok: false, code: 'unknown' }])
    await ground.campaigns.cancel({ id })
    await ground.reaches(id, 'cancelled')
  })

  it('by too many errors begins not one more, and goes on by a person’s word until there are as many again', async () => {
    const id = await ground.campaign(5, [agent], { errors: { attempts: 1, backoffSeconds: 0, stopAfter: 1 } })
    await agent.fail(await agent.begin())
    await ground.reaches(id, 'paused')
    expect(await ground.campaignOf(id)).toMatchObject({
      stateReason: 'errors',
      tally: { failed: 1, ready: 4 },
    })
    await agent.nothing(600)
    await ground.campaigns.resume({ id })
    await agent.finish(await agent.begin())
    await agent.fail(await agent.begin())
    await ground.reaches(id, 'paused')
    expect(await ground.tally(id)).toEqual({ failed: 2, done: 1, ready: 2 })
    await ground.campaigns.cancel({ id })
    await ground.reaches(id, 'cancelled')
  })
})

describe('cancelling', () => {
  it('an item that waits ends it at once, and open pages hear of it', async () => {
    const id = await ground.campaign(2, [agent])
    const holder = await agent.begin()
    const item = await ground.item(id, 2)
    page.forget()
    expect(await ground.campaigns.cancelItem({ id: item.id, note: 'not this one' })).toMatchObject({
      state: 'cancelled',
    })
    await hears(`campaigns updated ${id}`)
    expect(await refusal(ground.campaigns.cancelItem({ id: item.id }))).toBe('409 item.wrong_state')
    await agent.finish(holder)
    await ground.reaches(id, 'finished')
    expect(await ground.tally(id)).toEqual({ done: 1, cancelled: 1 })
  })

  it('an item that was only offered ends it at once, and open pages hear of item and run', async () => {
    const id = await ground.campaign(1, [agent])
    const holder = await agent.offer()
    const item = await ground.item(id)
    page.forget()
    await ground.campaigns.cancelItem({ id: item.id })
    expect(await ground.itemStates(id)).toEqual(['cancelled'])
    await hears(`runs updated ${holder.runId}`, `campaigns updated ${id}`)
    const { results } = await agent.calls.claim({ claims: [holder] })
    expect(results).toMatchObject([{ ok: false, code: 'superseded' }])
    await ground.reaches(id, 'finished')
  })

  it('a run asks its agent by stream, heartbeat and renewal, and ends as the agent says', async () => {
    const id = await ground.campaign(1, [agent])
    const holder = await agent.begin()
    agent.commands.length = 0
    page.forget()
    expect(await ground.runs.cancel({ id: holder.runId, note: 'enough' })).toMatchObject({
      cycle: 'running',
      cancelReason: 'enough',
      can: [],
    })
    const order = { mode: 'graceful', graceSeconds: 20, reason: 'enough' }
    await expect
      .poll(() => agent.commands.filter(({ type }) => type === 'cancel'))
      .toMatchObject([{ ...order, runId: holder.runId }])
    expect(await agent.beat()).toEqual(
      expect.arrayContaining([{ type: 'cancel', runId: holder.runId, ...order }]),
    )
    expect(await agent.renew(holder)).toMatchObject({ ok: true, cancel: order })
    await hears(`runs updated ${holder.runId}`)
    expect((await ground.item(id)).can).toEqual([])
    expect(await agent.finish(holder, { result: 'cancelled' })).toMatchObject({ status: 'accepted' })
    expect(await ground.item(id)).toMatchObject({ state: 'cancelled', can: ['retry'] })
    expect(await refusal(ground.runs.cancel({ id: holder.runId }))).toBe('409 run.wrong_state')
    await ground.reaches(id, 'finished')
  })

  it('a run whose agent is silent ends with its lease; one within an irreversible step is uncertain', async () => {
    const two = await ground.agent(2)
    const id = await ground.campaign(2, [two])
    const [silent, within] = [await two.begin(), await two.begin()]
    await two.tell(within, 1, { type: 'intent' })
    await ground.campaigns.cancel({ id })
    await ground.loseLease(silent.runId)
    await ground.loseLease(within.runId)
    await ground.itemsReach(id, 'cancelled', 'uncertain')
    await ground.reaches(id, 'cancelled')
    expect(await ground.runs.get({ id: silent.runId })).toMatchObject({ result: 'lost', can: [] })
    const item = await ground.item(id, 2)
    // Nothing begins in a cancelled campaign; what is known can still be put down.
    expect(item.can).toEqual(['skip', 'done'])
    expect(await refusal(ground.campaigns.retryItem({ id: item.id }))).toBe('409 campaign.wrong_state')
    expect(await ground.campaigns.doneItem({ id: item.id })).toMatchObject({ state: 'done' })
    expect(await ground.tally(id)).toEqual({ cancelled: 1, done: 1 })
    await two.leave()
  })

  it('a campaign ends what waits and what was offered, and waits for what runs', async () => {
    const two = await ground.agent(2)
    const id = await ground.campaign(4, [two])
    const [running, offered] = await two.offered(2)
    if (!running || !offered) throw new Error('there are not two offers')
    await two.claim(running)
    await two.calls.start({ runs: [running] })
    page.forget()
    expect((await ground.campaigns.cancel({ id })).state).toBe('cancelling')
    expect(await ground.tally(id)).toEqual({ running: 1, cancelled: 3 })
    await hears(`campaigns updated ${id}`, `runs progress ${offered.runId}`, `runs progress ${running.runId}`)
    expect(await two.renew(running)).toMatchObject({ cancel: { reason: 'cancelled by ann' } })
    await two.finish(running, { result: 'cancelled' })
    await ground.reaches(id, 'cancelled')
    expect((await ground.campaignOf(id)).finishedAt).not.toBeNull()
    expect(await refusal(ground.campaigns.cancel({ id }))).toBe('409 campaign.wrong_state')
    await two.leave()
  })

  it('after success changes nothing: what was done was done', async () => {
    const id = await ground.campaign(1, [agent])
    const holder = await agent.begin()
    await ground.runs.cancel({ id: holder.runId })
    await agent.finish(holder, { outputs: { n: 1 } })
    expect(await ground.item(id)).toMatchObject({ state: 'done', outputs: { n: 1 } })
    await ground.reaches(id, 'finished')
  })
})

describe('trying again', () => {
  it('reopens a campaign that was over, with a fresh count of attempts', async () => {
    const id = await ground.campaign(1, [agent])
    const holder = await agent.begin()
    await agent.fail(holder)
    await ground.reaches(id, 'finished_with_errors')
    await ground.runs.retry({ id: holder.runId })
    expect((await ground.campaignOf(id)).finishedAt).toBeNull()
    const again = await agent.begin()
    expect(again.job).toMatchObject({ attempt: 2, startAt: null })
    expect((await ground.runs.get({ id: again.runId })).retryOfId).toBe(holder.runId)
    expect(await refusal(ground.runs.retry({ id: holder.runId }))).toBe('409 run.wrong_state')
    expect(await refusal(ground.runs.retry({ id: again.runId }))).toBe('409 run.wrong_state')
    await agent.finish(again)
    await ground.reaches(id, 'finished')
    const item = await ground.item(id)
    expect(await refusal(ground.campaigns.retryItem({ id: item.id }))).toBe('409 item.wrong_state')
    expect((await ground.runs.get({ id: again.runId })).otherRuns).toMatchObject([
      { id: holder.runId, result: 'failed' },
    ])
  })

  it('goes on from the step where the last run stood, where a person wants that', async () => {
    const id = await ground.campaign(1, [agent], { errors: { attempts: 2, backoffSeconds: 0 } })
    const checkpoint = {
      stepId: 'post',
      path: ['each/2'],
      vars: { seen: [1, 'zwei'] },
      steps: { list: { n: 3 } },
    }
    const first = await agent.begin()
    await agent.fail(first, { checkpoint })
    // By itself it begins anew.
    const second = await agent.begin()
    expect(second.job.startAt).toBeNull()
    await agent.fail(second, { checkpoint })
    await ground.reaches(id, 'finished_with_errors')
    const item = await ground.item(id)
    expect(item.can).toEqual(['retry', 'skip', 'done', 'retryFromStep'])
    expect((await ground.runs.get({ id: second.runId })).can).toEqual(['retry', 'retryFromStep'])
    await ground.campaigns.retryItem({ id: item.id, from: 'step', note: 'the list was read' })
    const third = await agent.begin()
    expect(JSON.parse(third.job.startAt ?? '')).toEqual(checkpoint)
    await agent.fail(third)
    // Its further attempts go on from there too.
    const fourth = await agent.begin()
    expect(JSON.parse(fourth.job.startAt ?? '')).toEqual(checkpoint)
    await agent.fail(fourth)
    await ground.reaches(id, 'finished_with_errors')
    // The last run told no place to go on from.
    expect(await refusal(ground.campaigns.retryItem({ id: item.id, from: 'step' }))).toBe(
      '409 run.no_checkpoint',
    )
    expect(await refusal(ground.runs.retry({ id: fourth.runId, from: 'step' }))).toBe('409 run.no_checkpoint')
    await ground.runs.retry({ id: fourth.runId, from: 'start' })
    const fifth = await agent.begin()
    expect(fifth.job.startAt).toBeNull()
    await agent.finish(fifth)
    await ground.reaches(id, 'finished')
  })

  it('answers each question about an uncertain item once', async () => {
    const three = await ground.agent(3)
    const id = await ground.campaign(3, [three])
    for (const holder of [await three.begin(), await three.begin(), await three.begin()]) {
      await three.tell(holder, 1, { type: 'intent' })
      await three.fail(holder, { eventCount: 1 })
    }
    await ground.itemsReach(id, 'uncertain', 'uncertain', 'uncertain')
    const [done, skipped, retried] = await ground.items(id)
    expect(done?.error?.class).toBe('EffectUnknown')
    await ground.campaigns.doneItem({ id: done?.id ?? '', note: 'seen' })
    await ground.campaigns.skipItem({ id: skipped?.id ?? '' })
    expect(await refusal(ground.campaigns.retryItem({ id: done?.id ?? '' }))).toBe('409 item.wrong_state')
    await ground.campaigns.retryItem({ id: retried?.id ?? '' })
    await three.finish(await three.begin())
    await ground.reaches(id, 'finished')
    expect(await ground.tally(id)).toEqual({ done: 2, skipped: 1 })
    expect(await ground.campaigns.retryItem({ id: skipped?.id ?? '' })).toMatchObject({ state: 'ready' })
    await three.finish(await three.begin())
    await ground.reaches(id, 'finished')
    await three.leave()
  })

  it('of two people at once is taken once', async () => {
    const id = await ground.campaign(1, [agent])
    await agent.fail(await agent.begin())
    await ground.reaches(id, 'finished_with_errors')
    const item = await ground.item(id)
    const both = await Promise.all([1, 2].map(() => refusal(ground.campaigns.retryItem({ id: item.id }))))
    expect(new Set(both)).toEqual(new Set(['409 item.wrong_state', 'no error']))
    const holder = await agent.begin()
    expect(only((await ground.runs.list({ itemId: item.id, cycle: ['running'] })).data).id).toBe(holder.runId)
    await agent.finish(holder)
    await ground.reaches(id, 'finished')
  })
})

describe('an activity that is switched off', () => {
  it('lets runs under way finish, begins none, says why, and goes on once it is on again', async () => {
    const catalogue = (await ground.server.as('administrator')).api(activities)
    const figures = async () => (await catalogue.figures({})).find((one) => one.id === 'log')
    const before = await figures()
    const id = await ground.campaign(3, [agent], { workflowId: await ground.newWorkflow() })
    const holder = await agent.begin()
    const { version } = await catalogue.update({ id: 'log', version: 1, enabled: false })
    const waiting = ['wait.activity_disabled']
    expect(await ground.waits(id)).toEqual({ 2: waiting, 3: waiting })
    await agent.fail(holder)
    await agent.nothing()
    const other = await ground.draft(await ground.accountsOf(1), [agent])
    expect(await refusal(ground.campaigns.start({ id: other }))).toBe('409 activity.disabled')
    await ground.campaigns.pause({ id })
    expect(await refusal(ground.campaigns.resume({ id }))).toBe('409 activity.disabled')
    await catalogue.update({ id: 'log', version, enabled: true })
    await ground.campaigns.resume({ id })
    await agent.finish(await agent.begin())
    // Both runs held the activity; one ended at its step.
    expect(await figures()).toMatchObject({
      runs: (before?.runs ?? 0) + 2,
      failed: (before?.failed ?? 0) + 1,
    })
    await ground.campaigns.cancel({ id })
    await hears('activities updated log')
  })
})

describe('a custom activity', () => {
  it('is given to the runs of everybody, in the version that they name; a workflow only to those of its owner', async () => {
    const admin = await ground.server.as('administrator')
    const draft = {
      ...encodeDocument({
        ...emptyDocument(),
        start: 'say',
        activities: [{ id: 'say', type: 'log', typeVersion: 1, state: { message: 'hello' } }],
      }),
    }
    const { id: activityId } = await admin
      .api(activities)
      .create({ name: 'Greet', category: 'report', draft })
    const bodies = admin.api(workflows)
    await bodies.publish({ id: activityId, version: (await bodies.get({ id: activityId })).version })
    const other = await bodies.create({ name: 'Not yours', draft })
    await bodies.publish({ id: other.id, version: other.version })

    const id = await ground.campaign(1, [agent])
    const holder = await agent.begin()
    const { runId, leaseToken } = holder
    const ask = (workflowId: string, release: number) =>
      agent.calls.subworkflow({ id: runId, leaseToken, workflowId, release })
    expect(await ask(activityId, 1)).toMatchObject({ release: 1, document: { start: 'say' } })
    expect(await refusal(ask(activityId, 2))).toBe('404 record.not_found')
    expect(await refusal(ask(other.id, 1))).toBe('404 record.not_found')
    await agent.finish(holder)
    await ground.reaches(id, 'finished')
  })
})
