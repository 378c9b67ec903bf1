import { sql, type SQL } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { system } from '@weft/contract/system/api'
import { changeSetting } from '../features/system/settings.ts'
import { Ground, refusal, unique } from './testing/ground.ts'
import type { HandAgent } from './testing/hand-agent.ts'

let ground: Ground
let agent: HandAgent

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())
beforeEach(async () => {
  agent = await ground.agent(5)
})
afterEach(() => agent.leave())

/** Ends a campaign that has served its purpose. */
async function drop(...ids: string[]) {
  for (const id of ids) {
    await ground.campaigns.cancel({ id })
    await ground.server.deps.db.execute(
      sql`update run set held_until = now() - interval '1 second' where campaign_id = ${id} and finished_at is null`,
    )
    await ground.reaches(id, 'cancelled')
  }
}

describe('pacing', () => {
  it('bounds how many items are under way at once', async () => {
    const id = await ground.campaign(4, [agent], { pacing: { maxParallel: 2 } })
    const [first] = await agent.offered(2)
    await agent.nothing()
    expect(await ground.waits(id)).toEqual({ 3: ['wait.pacing_parallel'], 4: ['wait.pacing_parallel'] })
    if (!first) throw new Error('there is no offer')
    await agent.claim(first)
    await agent.calls.start({ runs: [first] })
    await agent.finish(first)
    await agent.offered(1)
    // A change while it runs holds for what has not begun.
    const { version } = await ground.campaignOf(id)
    await ground.campaigns.update({ id, version, pacing: { maxParallel: null } })
    await agent.offered(1)
    await drop(id)
  })

  it('keeps a time between the starts of two items', async () => {
    const id = await ground.campaign(2, [agent], { pacing: { delaySeconds: 4 } })
    await agent.begin()
    expect(await ground.waits(id)).toEqual({ 2: ['wait.pacing_delay'] })
    await agent.begin()
    // By the server's clock: when an agent hears of it depends on how busy the machine is.
    const { rows } = await ground.server.deps.db.execute(sql`
      select extract(epoch from max(queued_at) - min(queued_at))::float8 as apart from run where campaign_id = ${id}`)
    expect(rows[0]?.['apart']).toBeGreaterThanOrEqual(4)
    await drop(id)
  })

  it('bounds the starts on a domain over all campaigns, in each minute', async () => {
    const domain = `${unique()}.example`
    const there = (count: number) => ground.accountsOf(count, { allowedDomains: [`*.${domain}`] })
    const elsewhere = await ground.account({ allowedDomains: [`${unique()}.example`] })
    const first = await ground.campaign(await there(2), [agent])
    await agent.offered(2)
    // Another campaign’s two starts count: three in a minute leave one.
    const second = await ground.campaign(
      [...(await ground.accountsOf(2, { allowedDomains: [domain] })), elsewhere],
      [agent],
      {
        pacing: { perDomainPerMinute: 3 },
      },
    )
    const offers = await agent.offered(2)
    const jobs = await Promise.all(offers.map((offer) => agent.claim(offer)))
    expect(new Set(jobs.map(({ itemSeq }) => itemSeq))).toEqual(new Set([1, 3]))
    await agent.nothing()
    expect((await ground.item(second, 2)).waitReasons).toEqual([
      { code: 'wait.pacing_domain', params: { limit: 3, domain } },
    ])
    // The minute passes.
    await ground.server.deps.db.execute(
      sql`update run set queued_at = queued_at - interval '1 minute' where campaign_id = ${first}`,
    )
    expect((await agent.claim(await agent.offer())).itemSeq).toBe(2)
    await drop(first, second)
  })

  it('holds for the workflow where no domain is known', async () => {
    const workflowId = await ground.newWorkflow()
    const pacing = { perDomainPerMinute: 1 }
    const first = await ground.campaign(1, [agent], { workflowId, pacing })
    await agent.offered(1)
    const second = await ground.campaign(1, [agent], { workflowId, pacing })
    const other = await ground.campaign(1, [agent], { workflowId: await ground.newWorkflow(), pacing })
    await agent.offered(1)
    await agent.nothing(700)
    expect(await ground.itemStates(other)).toEqual(['leased'])
    expect(await ground.waits(second)).toEqual({ 1: ['wait.pacing_domain'] })
    await drop(first, second, other)
  })

  it('bounds the runs of an account in a day and an hour, by the tighter limit', async () => {
    const limited = await ground.account({ limits: { perDay: null, perHour: 2, quietHours: null } })
    const ids: string[] = []
    for (let n = 0; n < 2; n += 1) {
      ids.push(await ground.campaign([limited], [agent]))
      await agent.finish(await agent.begin())
    }
    const hourly = await ground.campaign([limited], [agent])
    await agent.nothing(600)
    const item = await ground.item(hourly)
    expect(item.waitReasons).toMatchObject([
      { code: 'wait.account_limit', params: { limit: 2, per: 'hour' } },
    ])
    const free = await ground.account()
    const daily = { pacing: { perAccountPerDay: 1 } }
    const first = await ground.campaign([free], [agent], daily)
    await agent.finish(await agent.begin())
    await ground.reaches(first, 'finished')
    const second = await ground.campaign([free], [agent], daily)
    await agent.nothing(600)
    expect((await ground.item(second)).waitReasons).toMatchObject([
      { code: 'wait.account_limit', params: { limit: 1, per: 'day' } },
    ])
    await drop(hourly, second)
  })

  it('respects an account’s quiet hours', async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16)
    const quietHours = `${at(-60)}-${at(60)}`
    const account = await ground.account({ limits: { perDay: null, perHour: null, quietHours } })
    const id = await ground.campaign([account, await ground.account()], [agent])
    expect((await agent.begin()).job.itemSeq).toBe(2)
    await agent.nothing(600)
    expect(await ground.waits(id)).toEqual({ 1: ['wait.quiet_hours'] })
    await drop(id)
  })
})

describe('items that cannot begin', () => {
  it('do not keep those after them from beginning', async () => {
    const one = await ground.agent(1)
    const ids = await ground.accountsOf(12)
    const id = await ground.draft(ids, [one])
    await ground.begin(id)
    const holder = await one.begin()
    // All but the last can no longer be used.
    for (const account of ids.slice(1, -1)) {
      const { version } = await ground.accounts.get({ id: account })
      await ground.accounts.update({ id: account, version, status: 'paused' })
    }
    await one.finish(holder)
    expect((await one.begin()).job.itemSeq).toBe(12)
    expect((await ground.item(id, 2)).waitReasons[0]).toMatchObject({
      code: 'wait.account_status',
      params: { status: 'paused' },
    })
    await drop(id)
    await one.leave()
  })

  it('wait for a proxy’s free slot', async () => {
    const proxyId = await ground.proxy({ capacity: 1 })
    const accounts = await ground.accountsOf(2, { proxyId })
    const id = await ground.campaign(accounts, [agent])
    const holder = await agent.begin()
    expect(holder.job.proxy?.id).toBe(proxyId)
    await agent.nothing()
    expect(await ground.waits(id)).toEqual({ 2: ['wait.proxy_busy'] })
    await agent.finish(holder)
    await agent.finish(await agent.begin())
    await ground.reaches(id, 'finished')
  })

  it('wait for a proxy that is in quarantine or has expired, and begin when it is good again', async () => {
    const { db } = ground.server.deps
    const quarantined = await ground.proxy()
    const expired = await ground.proxy()
    const accounts = [
      ...(await ground.accountsOf(1)),
      ...(await ground.accountsOf(1, { proxyId: quarantined })),
      ...(await ground.accountsOf(1, { proxyId: expired })),
    ]
    const id = await ground.campaign(accounts, [agent], { pacing: { maxParallel: 1 } })
    const holder = await agent.begin()
    const set = (what: SQL, proxyId: string) =>
      db.execute(sql`update proxy set ${what} where id = ${proxyId}`)
    await set(sql`status = 'quarantined'`, quarantined)
    await set(sql`expires_at = now()`, expired)
    await agent.finish(holder)
    await agent.nothing()
    expect(await ground.waits(id)).toEqual({ 2: ['wait.proxy_status'], 3: ['wait.proxy_status'] })
    expect((await ground.item(id, 3)).waitReasons[0]?.params).toMatchObject({ status: 'expired' })
    await set(sql`status = 'degraded'`, quarantined)
    const run = await agent.begin()
    expect(run.job.proxy?.id).toBe(quarantined)
    await agent.finish(run)
    await agent.nothing()
    await set(sql`expires_at = null`, expired)
    await agent.finish(await agent.begin())
    await ground.reaches(id, 'finished')
  })

  it('wait while the system is under maintenance; what is under way goes on', async () => {
    const setStatus = (status: number) =>
      ground.server.deps.db.transaction((tx) => changeSetting(tx, 'systemStatus', status, null))
    const id = await ground.campaign(2, [agent], { pacing: { maxParallel: 1 } })
    const holder = await agent.begin()
    const admin = await ground.server.as('administrator')
    const theirs = new Ground(ground.server, admin)
    for (const status of [2, 3]) {
      await setStatus(status)
      await expect
        .poll(() => refusal(ground.campaigns.pause({ id: holder.runId })))
        .toBe(status === 2 ? '503 system.read_only' : '503 system.maintenance')
      expect(await agent.renew(holder)).toMatchObject({ ok: true })
      expect(await agent.tell(holder, status, { type: 'going' })).toMatchObject({ code: 'ok' })
      expect((await theirs.waits(id))[2]?.[0]).toBe('wait.maintenance')
    }
    expect(await agent.finish(holder)).toMatchObject({ status: 'accepted' })
    await agent.nothing()
    expect(await theirs.waits(id)).toEqual({ 2: ['wait.maintenance'] })
    await setStatus(1)
    await agent.finish(await agent.begin())
    await theirs.reaches(id, 'finished')
  })

  it('wait while a maintenance is about to begin; what is under way is finished', async () => {
    const admin = await ground.server.as('administrator')
    const id = await ground.campaign(2, [agent], { pacing: { maxParallel: 1 } })
    const holder = await agent.begin()
    const at = new Date(Date.now() + 600_000).toISOString()
    expect(await admin.api(system).beginMaintenance({ status: 3, at })).toMatchObject({
      status: 1,
      takesNewRuns: false,
      runsUnderWay: 1,
    })
    await expect.poll(() => ground.server.deps.system.takesNewRuns()).toBe(false)
    expect(await agent.finish(holder)).toMatchObject({ status: 'accepted' })
    await agent.nothing()
    expect(await ground.waits(id)).toEqual({ 2: ['wait.maintenance'] })
    expect(await admin.api(system).cancelMaintenance({})).toMatchObject({
      takesNewRuns: true,
      runsUnderWay: 0,
    })
    await agent.finish(await agent.begin())
    await ground.reaches(id, 'finished')
  })
})

describe('errors', () => {
  it('are tried again after a time that doubles, so often as the policy says', async () => {
    const id = await ground.campaign(1, [agent], { errors: { attempts: 3, backoffSeconds: 1 } })
    const times: number[] = []
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const holder = await agent.begin()
      expect(holder.job.attempt).toBe(attempt)
      times.push(Date.now())
      await agent.fail(holder)
      if (attempt < 3) expect(await ground.waits(id)).toMatchObject({ 1: ['wait.backoff'] })
    }
    await ground.reaches(id, 'finished_with_errors')
    const [first = 0, second = 0, third = 0] = times
    expect(second - first).toBeGreaterThan(950)
    expect(third - second).toBeGreaterThan(1950)
    expect((await ground.runs.list({ campaignId: id })).totalRecord).toBe(3)
    expect((await ground.item(id)).attempt).toBe(3)
  })

  it('by a password that the site refuses set the account aside until it has another', async () => {
    const account = await ground.account({ password: 'wrong', status: 'ready' })
    const id = await ground.campaign([account], [agent])
    await agent.fail(await agent.begin(), {
      accountRejected: true,
      error: { class: 'SignInRefused', message: 'Wrong password.', stepId: null, stepName: null },
    })
    await ground.reaches(id, 'finished_with_errors')
    const seen = await ground.accounts.get({ id: account })
    expect(seen).toMatchObject({ status: 'needs_sign_in', lastError: 'Wrong password.' })
    const item = await ground.item(id)
    await ground.campaigns.retryItem({ id: item.id })
    await agent.nothing(600)
    expect((await ground.item(id)).waitReasons).toMatchObject([
      { code: 'wait.account_status', params: { status: 'needs_sign_in' } },
    ])
    const renamed = await ground.accounts.update({
      id: account,
      version: seen.version,
      displayName: 'The same',
    })
    expect(renamed.status).toBe('needs_sign_in')
    const changed = await ground.accounts.update({ id: account, version: renamed.version, password: 'right' })
    expect(changed.status).toBe('ready')
    await agent.finish(await agent.begin())
    await ground.reaches(id, 'finished')
  })

  it('pause the campaign when too great a share fails', async () => {
    const id = await ground.campaign(12, [agent], {
      errors: { attempts: 1, backoffSeconds: 0, stopAfterPercent: 20 },
      pacing: { maxParallel: 1 },
    })
    for (let n = 1; n <= 10; n += 1) {
      const holder = await agent.begin()
      if (n <= 3) await agent.fail(holder)
      else await agent.finish(holder)
    }
    await ground.reaches(id, 'paused')
    expect(await ground.campaignOf(id)).toMatchObject({
      stateReason: 'errors',
      tally: { done: 7, failed: 3, ready: 2 },
    })
    await drop(id)
  })
})
