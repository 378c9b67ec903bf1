import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CallError } from '@weft/contract/core/client'
import { workflows } from '@weft/contract/workflows/api'
import { emptyDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { Ground, refusal, unique } from '../../engine/testing/ground.ts'
import type { HandAgent } from '../../engine/testing/hand-agent.ts'

let ground: Ground
let agent: HandAgent

beforeAll(async () => {
  ground = await Ground.open()
  agent = await ground.agent()
})
afterAll(async () => {
  await agent.leave()
  await ground.server.stop()
})

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const at = (ms: number) => ({ schedule: { mode: 'at', at: inMs(ms), timeZone: 'Europe/Paris' } as const })

describe('a start', () => {
  it('for now begins within moments', async () => {
    const id = await ground.draft([await ground.account()], [agent])
    expect((await ground.campaignOf(id)).can).toContain('start')
    expect((await ground.campaigns.start({ id })).state).toBe('scheduled')
    await agent.finish(await agent.begin())
    await ground.reaches(id, 'finished')
    expect(await refusal(ground.campaigns.start({ id }))).toBe('409 campaign.wrong_state')
  })

  it('for a time waits for it, can be taken back, and then keeps nothing pinned', async () => {
    const id = await ground.draft([await ground.account()], [agent], at(2500))
    expect(await ground.campaigns.start({ id })).toMatchObject({ state: 'scheduled', release: 1 })
    expect(await refusal(ground.campaigns.start({ id }))).toBe('409 campaign.wrong_state')
    expect(await ground.campaigns.unschedule({ id })).toMatchObject({ state: 'draft' })
    await ground.campaigns.start({ id })
    await agent.nothing(1200)
    expect((await ground.campaignOf(id)).state).toBe('scheduled')
    await agent.finish(await agent.begin())
    await ground.reaches(id, 'finished')
    expect(await refusal(ground.campaigns.unschedule({ id }))).toBe('409 campaign.wrong_state')
  })

  it('for a time can be cancelled before', async () => {
    const id = await ground.draft([await ground.account()], [agent], at(60_000))
    await ground.campaigns.start({ id })
    await ground.campaigns.cancel({ id })
    await ground.reaches(id, 'cancelled')
    expect(await ground.tally(id)).toEqual({})
  })

  it('whose job was lost is taken up by the state in the ledger', async () => {
    const id = await ground.draft([await ground.account()], [agent], at(3_600_000))
    await ground.campaigns.start({ id })
    await ground.server.deps.db.execute(
      sql`update campaign set begin_at = now() - interval '2 minutes' where id = ${id}`,
    )
    const { rescueScheduled } = await import('./jobs.ts')
    await rescueScheduled(ground.server.deps)
    await agent.finish(await agent.begin())
    await ground.reaches(id, 'finished')
  })

  it('keeps the release that was the newest', async () => {
    const workflowId = await ground.newWorkflow()
    const calls = ground.person.api(workflows)
    const id = await ground.draft([await ground.account()], [agent], { workflowId })
    await ground.begin(id)
    const { version } = await calls.get({ id: workflowId })
    const changed = await calls.update({ id: workflowId, version, draft: draftOf('another text') })
    await calls.publish({ id: workflowId, version: changed.version })
    const holder = await agent.begin()
    expect(holder.job.workflow).toMatchObject({ id: workflowId, release: 1 })
    await agent.finish(holder)
    await ground.reaches(id, 'finished')
    const copy = await ground.campaigns.copy({ id })
    expect(copy).toMatchObject({
      state: 'draft',
      release: 2,
      copiedFromId: id,
      attached: { accounts: 1, clients: 1 },
    })
  })
})

const draftOf = (message: string, inputs: ReturnType<typeof emptyDocument>['inputs'] = []) => ({
  ...encodeDocument({
    ...emptyDocument(),
    inputs,
    start: 'post',
    activities: [{ id: 'post', type: 'log', typeVersion: 1, state: { message } }],
    connections: [],
  }),
})

describe('a start that cannot be', () => {
  it('names what is missing, as the plan and the buttons do', async () => {
    const { id: bare } = await ground.campaigns.create({ title: unique() })
    const { id: unpublished } = await ground.person.api(workflows).create({ name: unique() })
    const workflowId = await ground.workflow()
    const cases: [string, string][] = [
      [bare, '409 campaign.no_release'],
      [
        await ground.draft([await ground.account()], [agent], { workflowId: unpublished }),
        '409 campaign.no_release',
      ],
      [await ground.draft([await ground.account()], []), '422 campaign.no_client'],
      [await ground.draft([], [agent]), '422 campaign.no_resource'],
      [await ground.draft([await ground.account()], [agent], at(-3_600_000)), '422 campaign.at_in_past'],
      [
        await ground.draft([await ground.account()], [agent], { workflowId, inputs: { unknown: 1 } }),
        '422 campaign.bad_inputs',
      ],
    ]
    for (const [id, expected] of cases) {
      expect(await refusal(ground.campaigns.start({ id }))).toBe(expected)
      expect((await ground.campaignOf(id)).state).toBe('draft')
      const problem = expected.slice(4)
      if (!['campaign.at_in_past', 'campaign.bad_inputs'].includes(problem)) {
        expect((await ground.campaigns.plan({ id })).problems).toMatchObject([{ code: problem }])
        expect((await ground.campaignOf(id)).cannot).toMatchObject({ start: problem })
      }
    }
  })

  it('of a workflow that is in the trash is refused', async () => {
    const workflowId = await ground.newWorkflow()
    const id = await ground.draft([await ground.account()], [agent], { workflowId })
    expect(await refusal(ground.person.api(workflows).remove({ id: workflowId }))).toBe('409 record.in_use')
    await ground.server.deps.db.execute(sql`update workflow set deleted_at = now() where id = ${workflowId}`)
    expect(await refusal(ground.campaigns.start({ id }))).toBe('409 campaign.no_release')
    expect((await ground.campaignOf(id)).cannot).toMatchObject({ start: 'campaign.no_release' })
    expect((await ground.campaigns.plan({ id })).problems).toMatchObject([{ code: 'campaign.no_release' }])
  })

  it('waits for a withdrawal that is under way, and does not begin with what it withdrew', async () => {
    const workflowId = await ground.newWorkflow()
    const id = await ground.draft([await ground.account()], [agent], { workflowId })
    const start = await ground.server.deps.db.transaction(async (tx) => {
      await tx.execute(sql`update workflow set published_release = null where id = ${workflowId}`)
      const asked = refusal(ground.campaigns.start({ id }))
      const first = await Promise.race([asked, setTimeout(150, 'waits')])
      expect(first).toBe('waits')
      return { asked }
    })
    expect(await start.asked).toBe('409 campaign.no_release')
    expect((await ground.campaignOf(id)).state).toBe('draft')
  })

  it('of a release that was withdrawn names it', async () => {
    const workflowId = await ground.newWorkflow()
    const calls = ground.person.api(workflows)
    const { version } = await calls.get({ id: workflowId })
    const changed = await calls.update({ id: workflowId, version, draft: draftOf('the second') })
    await calls.publish({ id: workflowId, version: changed.version })
    const id = await ground.draft([await ground.account()], [agent], { workflowId })
    await calls.withdraw({ id: workflowId, number: 1, withdrawn: true })
    await ground.server.deps.db.execute(sql`update campaign set release = 1 where id = ${id}`)
    expect(await refusal(ground.campaigns.start({ id }))).toBe('409 campaign.release_withdrawn')
    await calls.withdraw({ id: workflowId, number: 1, withdrawn: false })
    expect(await ground.campaigns.start({ id })).toMatchObject({ state: 'scheduled', release: 1 })
    expect(await refusal(calls.withdraw({ id: workflowId, number: 1, withdrawn: true }))).toBe(
      '409 workflow.release_needed',
    )
    await agent.finish(await agent.begin())
    await ground.reaches(id, 'finished')
  })

  it('for inputs that do not fit names each', async () => {
    const calls = ground.person.api(workflows)
    const inputs = [
      { name: 'title', type: 'text', required: true },
      { name: 'times', type: 'number' },
    ] as ReturnType<typeof emptyDocument>['inputs']
    const made = await calls.create({ name: unique(), draft: draftOf('hello', inputs) })
    await calls.publish({ id: made.id, version: made.version })
    const draft = async (given: Record<string, unknown>) =>
      ground.draft([await ground.account()], [agent], { workflowId: made.id, inputs: given })
    const wrong = ground.campaigns.start({ id: await draft({ times: 'many', more: 1 }) })
    await expect(wrong).rejects.toMatchObject({
      code: 'campaign.bad_inputs',
      body: {
        errors: [
          { path: 'inputs.title', code: 'required' },
          { path: 'inputs.times', code: 'wrong_type' },
          { path: 'inputs.more', code: 'unknown' },
        ],
      },
    })
    const id = await draft({ title: 'Hello', times: 2 })
    await ground.begin(id)
    const holder = await agent.begin()
    expect(holder.job.inputs).toEqual({ title: 'Hello', times: 2 })
    await agent.finish(holder)
    await ground.reaches(id, 'finished')
  })

  it('of nothing that could be done goes back to a draft and says so', async () => {
    const id = await ground.draft([await ground.account({ status: 'retired' })], [agent])
    expect((await ground.campaigns.plan({ id })).problems).toMatchObject([{ code: 'campaign.nothing_to_do' }])
    await ground.begin(id)
    expect(await ground.campaignOf(id)).toMatchObject({
      state: 'draft',
      stateReason: 'nothing_to_do',
      total: 0,
    })
    await ground.campaigns.addAccounts({ campaignId: id, selection: { ids: [await ground.account()] } })
    await ground.begin(id)
    await agent.finish(await agent.begin())
    await ground.reaches(id, 'finished')
  })
})

describe('a change', () => {
  it('on what has changed meanwhile is refused with what there is now', async () => {
    const id = await ground.draft([], [])
    const { version } = await ground.campaignOf(id)
    await ground.campaigns.update({ id, version, title: 'First' })
    const stale = await ground.campaigns
      .update({ id, version, title: 'Second' })
      .catch((error: unknown) => error)
    if (!(stale instanceof CallError)) throw new Error('it was not refused')
    expect(stale).toMatchObject({ httpStatus: 409, code: 'record.stale' })
    expect(stale.body.current).toMatchObject({ title: 'First', version: version + 1 })
    const { clientId } = agent
    const client = await ground.clients.get({ id: clientId })
    await ground.clients.update({ id: clientId, version: client.version, notes: 'here' })
    expect(
      await refusal(ground.clients.update({ id: clientId, version: client.version, notes: 'there' })),
    ).toBe('409 record.stale')
  })

  it('while it runs touches only what has not begun', async () => {
    const id = await ground.campaign(2, [agent])
    const holder = await agent.begin()
    const update = async (fields: object) =>
      refusal(ground.campaigns.update({ id, version: (await ground.campaignOf(id)).version, ...fields }))
    expect(await update({ title: 'Renamed', priority: 9, errors: { attempts: 5 }, pacing: {} })).toBe(
      'no error',
    )
    for (const fields of [
      { workflowId: await ground.workflow() },
      { inputs: {} },
      { pairing: { per: 'video' } },
      { schedule: { mode: 'now' } },
      { code: 'other' },
    ])
      expect(await update(fields)).toBe('409 campaign.not_editable')
    expect(await refusal(ground.campaigns.remove({ id }))).toBe('409 campaign.wrong_state')
    expect(await refusal(ground.campaigns.archive({ id }))).toBe('409 campaign.wrong_state')
    await agent.finish(holder)
    await agent.finish(await agent.begin())
    await ground.reaches(id, 'finished')
    expect((await ground.campaigns.archive({ id })).state).toBe('archived')
    expect((await ground.campaigns.list({ q: 'Renamed' })).data).toEqual([])
    await ground.campaigns.remove({ id })
    expect(await refusal(ground.campaigns.get({ id }))).toBe('404 record.not_found')
  })
})
