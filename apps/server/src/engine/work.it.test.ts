import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agents } from '@weft/contract/agents/api'
import { clientOf } from '@weft/contract/core/client'
import { Ground, refusal, unique } from './testing/ground.ts'

let ground: Ground

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())

describe('a run', () => {
  it('goes from the offer to its end, and every count with it', async () => {
    const agent = await ground.agent()
    const id = await ground.campaign(1, [agent], { inputs: {} })
    const holder = await agent.offer()
    expect(await ground.tally(id)).toEqual({ leased: 1 })
    expect(await ground.runs.get({ id: holder.runId })).toMatchObject({
      cycle: 'queued',
      attempt: 1,
      result: null,
    })

    const job = await agent.claim(holder)
    expect(job).toMatchObject({ runId: holder.runId, attempt: 1, itemSeq: 1, startAt: null })
    expect((await ground.runs.get({ id: holder.runId })).cycle).toBe('leased')
    // Claimed again, as after a lost answer, it is answered the same.
    expect(await agent.claim(holder)).toEqual(job)

    await agent.calls.start({ runs: [holder] })
    expect(await ground.tally(id)).toEqual({ running: 1 })
    expect(await ground.item(id)).toMatchObject({ state: 'running', attempt: 1, runId: holder.runId })
    expect(await agent.renew(holder)).toMatchObject({ ok: true, leaseSeconds: 60, cancel: null })

    expect(await agent.tell(holder, 1, { type: 'stepStarted' }, { type: 'intent' })).toMatchObject({
      ack: 2,
      code: 'ok',
    })
    expect(await ground.item(id)).toMatchObject({ step: 'Post it' })
    expect(await agent.tell(holder, 3, { type: 'waiting' })).toMatchObject({ ack: 3 })
    expect((await ground.runs.get({ id: holder.runId })).cycle).toBe('waiting')
    expect(await agent.tell(holder, 4, { type: 'going' }, { type: 'confirm', effect: 'done' })).toMatchObject(
      { ack: 5 },
    )

    // What is sent again is not stored again, and what comes after a gap waits for the rest.
    expect(await agent.tell(holder, 5, { type: 'confirm', effect: 'done' })).toMatchObject({ ack: 5 })
    expect(await agent.tell(holder, 8, { type: 'going' })).toMatchObject({ ack: 5, code: 'ok' })
    expect(await agent.finish(holder, { eventCount: 6 })).toMatchObject({ status: 'sendMore', from: 6 })
    expect(await agent.tell(holder, 6, { type: 'stepFinished' })).toMatchObject({ ack: 6 })

    const end = { eventCount: 6, outputs: { number: 7 } }
    expect(await agent.finish(holder, end)).toMatchObject({ status: 'accepted' })
    const run = await ground.runs.get({ id: holder.runId })
    expect(run).toMatchObject({ cycle: 'finished', result: 'succeeded', outputs: { number: 7 }, error: null })
    expect(run.steps).toMatchObject([{ path: 'post', state: 'succeeded', intent: 'confirmed', attempt: 1 }])
    expect(await ground.item(id)).toMatchObject({ state: 'done', outputs: { number: 7 }, waitReasons: [] })
    await ground.reaches(id, 'finished')
    expect(await ground.campaignOf(id)).toMatchObject({ total: 1, tally: { done: 1, running: 0 } })

    // The end told again is answered the same and changes nothing.
    expect(await agent.finish(holder, end)).toMatchObject({ status: 'accepted' })
    expect(await ground.runs.get({ id: holder.runId })).toEqual(run)
    await agent.leave()
  })

  it('that fails tells the class of its error, and the campaign ends with errors', async () => {
    const agent = await ground.agent()
    const id = await ground.campaign(1, [agent])
    const holder = await agent.begin()
    await agent.fail(holder)
    await ground.reaches(id, 'finished_with_errors')
    expect(await ground.tally(id)).toEqual({ failed: 1 })
    expect(await ground.item(id)).toMatchObject({
      state: 'failed',
      error: { class: 'NotFound', stepName: 'Post it' },
      can: ['retry', 'skip', 'done'],
    })
    expect(await ground.runs.get({ id: holder.runId })).toMatchObject({
      result: 'failed',
      error: { class: 'NotFound' },
      can: ['retry'],
    })
    await agent.leave()
  })

  it('given back before it began is offered again and costs an attempt only where it was refused', async () => {
    const agent = await ground.agent()
    const id = await ground.campaign(1, [agent], { errors: { attempts: 2, backoffSeconds: 0 } })
    const holder = await agent.offer()
    await agent.claim(holder)
    await agent.calls.reject({ runs: [{ ...holder, reason: 'no browser of that kind' }] })
    expect(await ground.item(id)).toMatchObject({ state: 'ready', attempt: 1 })
    expect(await ground.waits(id)).toMatchObject({ 1: ['wait.backoff'] })
    expect(await ground.runs.get({ id: holder.runId })).toMatchObject({
      result: 'rejected',
      error: { class: 'Rejected', message: 'no browser of that kind' },
    })
    await ground.campaigns.cancel({ id })
    await ground.reaches(id, 'cancelled')
    await agent.leave()
  })
})

describe('a join code', () => {
  it('registers once; the same key with it is answered the same, another is refused', async () => {
    const { code: joinCode } = await ground.clients.joinCode({ maxSlots: 3, labels: ['x'] })
    const open = clientOf({ baseUrl: ground.server.url }, agents)
    const key = () =>
      generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const input = {
      joinCode,
      publicKey: key(),
      machineId: 'one machine',
      name: unique(),
      os: 'linux',
      arch: 'x64',
      slots: 9,
      versions: { agent: '1', protocolMin: 1, protocolMax: 1, playwright: '1', node: '24', browsers: [] },
    }
    const first = await open.register(input)
    expect(await open.register(input)).toEqual(first)
    expect(await refusal(open.register({ ...input, publicKey: key() }))).toBe('403 agent.wrong_code')
    expect(await refusal(open.register({ ...input, machineId: 'another' }))).toBe('403 agent.wrong_code')
    expect(await refusal(open.register({ ...input, joinCode: 'ABC' }))).toBe('403 agent.wrong_code')
    const { data } = await ground.clients.list({ q: input.name })
    expect(data).toMatchObject([{ id: first.clientId, thread: 3, labels: ['x'], connection: 'never' }])
    await ground.clients.revoke({ id: first.clientId })
    expect(await refusal(open.register(input))).toBe('403 agent.wrong_code')
  })
})

describe('giving work', () => {
  it('gives no item twice, whoever asks at once', async () => {
    const crowd = await Promise.all(Array.from({ length: 4 }, () => ground.agent(3)))
    const id = await ground.campaign(12, crowd)
    const taken: { agent: (typeof crowd)[number]; runId: string; leaseToken: string }[] = []
    await expect
      .poll(async () => {
        const found = await Promise.all(
          crowd.map(async (agent) => (await agent.offers()).map((holder) => ({ agent, ...holder }))),
        )
        taken.push(...found.flat())
        return taken.length
      })
      .toBe(12)
    const claims = await Promise.all(
      taken.flatMap(({ agent, ...holder }) => [agent.claim(holder), agent.claim(holder)]),
    )
    const items = claims.map((job) => job.itemSeq)
    expect(new Set(items).size).toBe(12)
    expect(await ground.tally(id)).toEqual({ leased: 12 })
    // Nobody can take what was offered to another.
    const [mine, other] = [taken[0], crowd.find((agent) => agent !== taken[0]?.agent)]
    const stolen = await other?.calls.claim({
      claims: [{ runId: mine?.runId ?? '', leaseToken: mine?.leaseToken ?? '' }],
    })
    expect(stolen?.results).toMatchObject([{ ok: false, code: 'unknown' }])
    await ground.campaigns.cancel({ id })
    for (const agent of crowd) await agent.leave()
  })

  it('gives each client no more than its slots, and only clients of the campaign', async () => {
    const [small, stranger] = [await ground.agent(2), await ground.agent(5)]
    const id = await ground.campaign(5, [small])
    const offers = await small.offered(2)
    await small.nothing(600)
    await stranger.nothing(600)
    expect(await ground.waits(id)).toMatchObject({ 3: ['wait.no_free_slot'], 5: ['wait.no_free_slot'] })
    const [first] = offers
    if (!first) throw new Error('there is no offer')
    await small.claim(first)
    await small.calls.start({ runs: [first] })
    await small.finish(first)
    await small.offered(1)
    expect(await ground.tally(id)).toEqual({ done: 1, leased: 2, ready: 2 })
    await ground.campaigns.cancel({ id })
    await small.leave()
    await stranger.leave()
  })

  it('lets an account be used by one run at a time, in all campaigns', async () => {
    const agent = await ground.agent(4)
    const account = await ground.account()
    const first = await ground.campaign([account], [agent])
    const holder = await agent.begin()
    const second = await ground.campaign([account, await ground.account()], [agent])
    const free = await agent.offer()
    expect((await agent.claim(free)).itemSeq).toBe(2)
    await agent.nothing()
    expect(await ground.waits(second)).toEqual({ 1: ['wait.account_leased'] })
    expect((await ground.accounts.get({ id: account })).status).toBe('in_use')
    await agent.finish(holder)
    expect((await agent.claim(await agent.offer())).account?.id).toBe(account)
    await ground.reaches(first, 'finished')
    await ground.campaigns.cancel({ id: second })
    await agent.leave()
  })

  it('passes over clients that are paused, draining, refusing or silent, and says so', async () => {
    const agent = await ground.agent(2)
    await ground.clients.pause({ id: agent.clientId, note: 'lunch' })
    const id = await ground.campaign(1, [agent])
    await agent.nothing(700)
    expect(await ground.waits(id)).toEqual({ 1: ['wait.client_paused'] })
    await agent.beat({ refusing: 'disk_full' })
    await ground.clients.enable({ id: agent.clientId })
    expect(await ground.waits(id)).toEqual({ 1: ['wait.client_paused'] })
    const holder = await agent.offer()
    expect((await ground.clients.get({ id: agent.clientId })).work).toEqual({ busy: 1, slots: 2 })
    await ground.clients.drain({ id: agent.clientId })
    expect(agent.commands.at(-1)).toMatchObject({ type: 'admin', admin: 'draining' })
    // What it has it finishes.
    await agent.claim(holder)
    await agent.calls.start({ runs: [holder] })
    expect(await agent.finish(holder)).toMatchObject({ status: 'accepted' })
    await ground.reaches(id, 'finished')

    const other = await ground.campaign(1, [agent])
    await agent.nothing(700)
    await ground.clients.enable({ id: agent.clientId })
    await agent.begin()
    await ground.campaigns.cancel({ id: other })
    await agent.leave()
  })

  it('says when no client is online', async () => {
    const { id: never } = await ground.clients.create({ name: unique() })
    const id = await ground.draft([await ground.account()], [])
    await ground.campaigns.addClients({ campaignId: id, selection: { ids: [never] } })
    await ground.begin(id)
    expect(await ground.waits(id)).toEqual({ 1: ['wait.no_client_online'] })
    await ground.campaigns.cancel({ id })
  })
})
