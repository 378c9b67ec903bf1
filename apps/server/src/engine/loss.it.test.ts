import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Ground, refusal, unique } from './testing/ground.ts'
import { eventOf, only, type HandAgent } from './testing/hand-agent.ts'

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

/** What lies in the database about a run and its item, to see that nothing of it changed. */
const facts = (runId: string) =>
  ground.rows(
    sql`select to_jsonb(r) - 'held_until' as run, to_jsonb(i) as item,
      (select count(*)::int from run_event e where e.run_id = r.id) as batches,
      (select count(*)::int from run_log l where l.run_id = r.id) as chunks
    from run r join campaign_item i on i.id = r.item_id where r.id = ${runId}`,
    z.looseObject({}),
  )

describe('a lease that ends', () => {
  it('before the run began gives the item back as if nothing had been', async () => {
    const id = await ground.campaign(1, [agent])
    const offered = await agent.offer()
    await ground.loseLease(offered.runId)
    const claimed = await agent.offer()
    expect(await ground.item(id)).toMatchObject({ state: 'leased', attempt: 1 })
    // An offer that nobody took up leaves no run behind.
    expect(await refusal(ground.runs.get({ id: offered.runId }))).toBe('404 record.not_found')
    const late = await agent.calls.claim({ claims: [offered] })
    expect(late.results).toMatchObject([{ ok: false, code: 'unknown' }])

    await agent.claim(claimed)
    await ground.loseLease(claimed.runId)
    expect(await agent.renew(claimed)).toMatchObject({ ok: false })
    const again = await agent.begin()
    expect(await ground.item(id)).toMatchObject({ state: 'running', attempt: 1, runId: again.runId })
    expect(await ground.runs.get({ id: claimed.runId })).toMatchObject({ cycle: 'finished', result: 'lost' })
    expect(again.job.fence).toBeGreaterThan(1)
    await agent.finish(again)
    await ground.reaches(id, 'finished')
  })

  it('in the middle gives it to the next; what the first still says changes nothing and is kept', async () => {
    const id = await ground.campaign(1, [agent])
    const first = await agent.begin()
    await agent.tell(first, 1, { type: 'stepStarted' })
    await ground.loseLease(first.runId)
    expect(await agent.renew(first)).toMatchObject({ ok: false })
    const second = await agent.begin()
    expect(second.runId).not.toBe(first.runId)
    expect(second.job).toMatchObject({ attempt: 2, fence: 2 })
    const [before, item] = [await ground.runs.get({ id: first.runId }), await ground.item(id)]
    expect(before).toMatchObject({ result: 'lost', lateReports: [] })
    expect((await ground.runs.get({ id: second.runId })).retryOfId).toBe(first.runId)

    expect(await agent.renew(first)).toMatchObject({ ok: false, code: 'superseded' })
    expect(only((await agent.calls.start({ runs: [bare(first)] })).results)).toMatchObject({
      ok: false,
      code: 'superseded',
    })
    expect(only((await agent.calls.claim({ claims: [bare(first)] })).results)).toMatchObject({
      ok: false,
      code: 'superseded',
    })
    expect(await agent.tell(first, 2, { type: 'stepFinished' })).toMatchObject({ code: 'superseded' })
    expect(await agent.finish(first, { eventCount: 2, outputs: { n: 1 } })).toMatchObject({
      status: 'superseded',
    })
    expect(await refusal(agent.calls.secret({ ...bare(first), handle: 'account.password' }))).toBe(
      '404 agent.unknown_run',
    )
    // The old run's token does not open the new run.
    const forged = { runId: second.runId, leaseToken: first.leaseToken }
    expect(await agent.renew(forged)).toMatchObject({ ok: false, code: 'superseded' })
    expect(await agent.finish(forged)).toMatchObject({ status: 'superseded' })

    const { lateReports, ...after } = await ground.runs.get({ id: first.runId })
    expect({ ...after, lateReports: [] }).toEqual(before)
    expect(lateReports).toMatchObject([
      { kind: 'events' },
      { kind: 'finish', detail: { result: 'succeeded' } },
    ])
    expect(await ground.item(id)).toEqual(item)
    await agent.finish(second)
    await ground.reaches(id, 'finished')
    expect(await ground.tally(id)).toEqual({ done: 1 })
  })

  it('between announcing and confirming an irreversible step makes the item uncertain', async () => {
    const id = await ground.campaign(1, [agent], { errors: { attempts: 5, backoffSeconds: 0 } })
    const holder = await agent.begin()
    await agent.tell(holder, 1, { type: 'stepStarted' }, { type: 'intent' })
    await ground.loseLease(holder.runId)
    await ground.itemsReach(id, 'uncertain')
    expect(await ground.item(id)).toMatchObject({
      error: { class: 'EffectUnknown', stepId: 'post' },
      can: ['retry', 'skip', 'done'],
    })
    await ground.reaches(id, 'completing')
    expect((await ground.campaignOf(id)).stateReason).toBe('needs_person')
    await agent.nothing(700)
    // A late word that it was done is evidence for the person who decides, no decision.
    expect(await agent.finish(holder, { eventCount: 2 })).toMatchObject({ status: 'superseded' })
    expect(await ground.tally(id)).toEqual({ uncertain: 1 })
    const item = await ground.item(id)
    expect(await ground.campaigns.doneItem({ id: item.id, note: 'seen on the site' })).toMatchObject({
      state: 'done',
    })
    await ground.reaches(id, 'finished')
  })

  it('after an irreversible step was confirmed, or surely not done, is no doubt about it', async () => {
    const undone = await ground.campaign(1, [agent], { errors: { attempts: 1, backoffSeconds: 0 } })
    const first = await agent.begin()
    await agent.tell(first, 1, { type: 'intent' }, { type: 'confirm', effect: 'none' })
    await ground.loseLease(first.runId)
    const again = await agent.begin()
    await agent.tell(again, 1, { type: 'intent' }, { type: 'confirm', effect: 'done' })
    await ground.loseLease(again.runId)
    await ground.itemsReach(undone, 'uncertain')
    expect((await ground.item(undone)).error?.class).toBe('EffectDone')
    const item = await ground.item(undone)
    expect(await ground.campaigns.skipItem({ id: item.id })).toMatchObject({ state: 'skipped' })
    await ground.reaches(undone, 'finished')
  })
})

const bare = ({ runId, leaseToken }: { runId: string; leaseToken: string }) => ({ runId, leaseToken })

describe('an agent that is wrong', () => {
  it('about a run that it did not begin is refused, and the item waits for its lease', async () => {
    const id = await ground.campaign(1, [agent])
    const holder = await agent.offer()
    const offered = await facts(holder.runId)
    expect(await agent.finish(holder, { outputs: { n: 1 } })).toMatchObject({ status: 'superseded' })
    expect(await agent.tell(holder, 1, { type: 'intent' })).toMatchObject({ code: 'not_allowed', ack: 0 })
    expect(only((await agent.calls.start({ runs: [holder] })).results)).toMatchObject({
      ok: false,
      code: 'not_allowed',
    })
    expect(await agent.renew(holder)).toMatchObject({ ok: false, code: 'not_allowed' })
    expect(await refusal(agent.calls.secret({ ...holder, handle: 'account.password' }))).toBe(
      '404 agent.unknown_run',
    )
    expect(await facts(holder.runId)).toEqual(offered)

    await agent.claim(holder)
    const claimed = await facts(holder.runId)
    expect(await agent.finish(holder, { outputs: { n: 1 } })).toMatchObject({ status: 'superseded' })
    expect(await agent.fail(holder)).toMatchObject({ status: 'superseded' })
    expect(await agent.tell(holder, 1, { type: 'confirm', effect: 'done' })).toMatchObject({
      code: 'not_allowed',
    })
    expect(await facts(holder.runId)).toEqual(claimed)

    await agent.calls.start({ runs: [holder] })
    await agent.finish(holder)
    await ground.reaches(id, 'finished')
  })

  it('about another client’s run gets nothing and changes nothing', async () => {
    const thief = await ground.agent()
    const account = await ground.account({ password: 'open sesame' })
    const id = await ground.campaign([account], [agent])
    const holder = bare(await agent.begin())
    const before = await facts(holder.runId)
    const { runId, leaseToken } = holder
    for (const call of ['claim', 'start', 'renew'] as const) {
      const runs = [holder]
      const { results } =
        call === 'claim' ? await thief.calls.claim({ claims: runs }) : await thief.calls[call]({ runs })
      expect(results).toEqual([{ ok: false, runId, code: 'unknown' }])
    }
    expect(await thief.tell(holder, 1, { type: 'intent' })).toEqual({ runId, ack: 0, code: 'unknown' })
    expect(await thief.finish(holder)).toEqual({ runId, status: 'superseded' })
    const rejected = await thief.calls.reject({ runs: [{ ...holder, reason: 'mine' }] })
    expect(rejected.results).toMatchObject([{ ok: false, code: 'unknown' }])
    const workflowId = await ground.workflow()
    const asks: (() => Promise<unknown>)[] = [
      () => thief.calls.secret({ ...holder, handle: 'account.password' }),
      () => thief.calls.log({ id: runId, leaseToken, offset: 0 }, { body: 'x' }),
      () => thief.calls.snapshot({ id: runId, leaseToken }),
      () => thief.calls.subworkflow({ id: runId, leaseToken, workflowId }),
      () => thief.calls.inputFile({ id: runId, leaseToken, fileId: runId }),
    ]
    for (const ask of asks) expect(await refusal(ask())).toBe('404 agent.unknown_run')
    const [{ hash }] = [
      (
        await ground.rows(
          sql`select hash from workflow_release where workflow_id = ${await ground.workflow()}`,
          z.object({ hash: z.string() }),
        )
      )[0] ?? { hash: '' },
    ]
    expect(await refusal(thief.calls.workflow({ hash }))).toBe('404 record.not_found')
    expect(await facts(runId)).toEqual(before)
    expect(await agent.calls.secret({ ...holder, handle: 'account.password' })).toEqual({
      value: 'open sesame',
    })
    expect((await agent.calls.workflow({ hash })).document).toMatchObject({ start: 'post' })
    await agent.finish(holder)
    await ground.reaches(id, 'finished')
    await thief.leave()
  })

  it('in what it counts, says or sends is told so', async () => {
    const id = await ground.campaign(1, [agent])
    const holder = bare(await agent.begin())
    const before = await facts(holder.runId)
    const NUL = String.fromCharCode(0)
    const event = eventOf({ type: 'stepStarted' }, 1)
    const report = (events: unknown[]) =>
      refusal(agent.calls.report({ runs: [{ ...holder, events: events as [] }] }))
    expect(await report([{ ...event, seq: 2, input: undefined }])).toBe('no error')
    expect(await report([{ ...event, seq: 0 }])).toBe('422 request.invalid')
    expect(await report([{ ...event, seq: -3 }])).toBe('422 request.invalid')
    expect(await report([{ ...event, name: `a${NUL}b` }])).toBe('422 request.invalid')
    expect(await report([{ ...event, input: { [`a${NUL}`]: 1 } }])).toBe('422 request.invalid')
    expect(await report([{ ...event, type: 'reboot' }])).toBe('422 request.invalid')
    expect(await report([{ ...event, at: 'yesterday' }])).toBe('422 request.invalid')
    expect(await report([{ ...event, more: 1 }])).toBe('422 request.invalid')
    expect(await report([{ ...eventOf({ type: 'stepFinished' }, 1), durationMs: -1 }])).toBe(
      '422 request.invalid',
    )
    expect(await report(Array.from({ length: 501 }, (_, n) => ({ ...event, seq: n + 1 })))).toBe(
      '422 request.invalid',
    )
    expect(await report([{ ...event, input: 'x'.repeat(8.5 * 1024 * 1024) }])).toBe('413 request.too_large')
    expect(await refusal(agent.finish(holder, { eventCount: -1 }))).toBe('422 request.invalid')
    expect(await refusal(agent.finish(holder, { outputs: { text: NUL } }))).toBe('422 request.invalid')
    expect(await refusal(agent.beat({ freeSlots: -1 }))).toBe('422 request.invalid')
    expect(await refusal(agent.beat({ cpu: 300 }))).toBe('422 request.invalid')
    expect(await refusal(agent.beat({ refusing: NUL }))).toBe('422 request.invalid')
    expect(await agent.finish(holder, { eventCount: 40 })).toMatchObject({ status: 'sendMore', from: 1 })
    expect(await facts(holder.runId)).toEqual(before)
    await agent.finish(holder)
    await ground.reaches(id, 'finished')
  })

  it('naming steps that the workflow has not spoils only its own run', async () => {
    const id = await ground.campaign(1, [agent])
    const holder = bare(await agent.begin())
    const stranger = { path: 'nowhere/9', stepId: 'nowhere' }
    await agent.calls.report({
      runs: [
        {
          ...holder,
          events: [
            { ...eventOf({ type: 'stepFinished' }, 1), ...stranger },
            { ...eventOf({ type: 'confirm', effect: 'done' }, 2), ...stranger },
            { ...eventOf({ type: 'stepStarted' }, 3), ...stranger },
          ],
        },
      ],
    })
    expect((await ground.runs.get({ id: holder.runId })).steps).toMatchObject([
      { stepId: 'nowhere', state: 'running' },
    ])
    expect(await agent.finish(holder, { eventCount: 3 })).toMatchObject({ status: 'accepted' })
    await ground.reaches(id, 'finished')
  })

  it('with a log without end is heard out and stored up to the cap', async () => {
    const id = await ground.campaign(1, [agent])
    const { runId, leaseToken } = await agent.begin()
    const log = (offset: number, body: Uint8Array<ArrayBuffer> | string) =>
      agent.calls.log({ id: runId, leaseToken, offset }, { body })
    const line = `${JSON.stringify({ at: new Date().toISOString(), level: 'info', stepId: null, text: 'hello' })}\n`
    expect(await log(0, line)).toEqual({ size: line.length })
    // Sent again it is the same; with a gap it is sent back.
    expect(await log(0, line)).toEqual({ size: line.length })
    expect(await refusal(log(line.length + 5, 'x'))).toBe('416 agent.range')
    expect(await refusal(log(line.length, new Uint8Array(1024 * 1024 + 1)))).toBe('413 request.too_large')
    const mega = new Uint8Array(1024 * 1024)
    let size = line.length
    for (let n = 0; n < 10; n += 1) size = (await log(size, mega)).size
    expect(size).toBe(line.length + 10 * mega.length)
    const [stored] = await ground.rows(
      sql`select sum(length(bytes))::int as bytes from run_log where run_id = ${runId}`,
      z.object({ bytes: z.number() }),
    )
    expect(stored?.bytes).toBeLessThanOrEqual(8 * 1024 * 1024)
    expect((await ground.runs.log({ id: runId })).lines).toMatchObject([{ text: 'hello' }])
    await agent.finish({ runId, leaseToken }, { logBytes: 5 })
    await ground.reaches(id, 'finished')
  })

  it('who it is, is not let in', async () => {
    const { clientId } = agent
    const { nonce } = await agent.calls.challenge({ clientId })
    const session = {
      clientId,
      nonce,
      instanceId: '00000000-0000-4000-8000-000000000001',
      previousInstanceId: null,
      machineId: unique(),
      signature: 'AAAA',
      clock: new Date().toISOString(),
      slots: 1,
      versions: { agent: '1', protocolMin: 1, protocolMax: 1, playwright: '1', node: '24', browsers: [] },
    }
    expect(await refusal(agent.calls.session(session))).toBe('401 agent.wrong_signature')
    const unknown = { ...session, clientId: '00000000-0000-7000-8000-000000000000' }
    expect(await refusal(agent.calls.session(unknown))).toBe('401 agent.wrong_signature')
    const id = await ground.campaign(1, [agent])
    const holder = await agent.begin()
    await ground.clients.revoke({ id: clientId })
    expect(await refusal(agent.renew(holder))).toBe('401 auth.required')
    expect((await ground.runs.get({ id: holder.runId })).result).toBe('lost')
    expect(await ground.itemStates(id)).toEqual(['ready'])
    await ground.campaigns.cancel({ id })
  })
})
