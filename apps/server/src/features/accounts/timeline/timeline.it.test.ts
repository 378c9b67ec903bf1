import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import type { TimelineEntry } from '@weft/contract/accounts/timeline'
import { notifications } from '@weft/contract/notifications/api'
import { Ground } from '../../../engine/testing/ground.ts'
import { wakeRested } from '../moves.ts'
import { codeOf } from '../../../testing/browser.ts'

let ground: Ground

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())

const timeline = (id: string, more: { before?: string; limit?: number } = {}) =>
  ground.accounts.timeline({ id, ...more })

/** What somebody was told about an account. */
const toldOf = async ({ person }: Ground, id: string) => {
  const { data } = await person.api(notifications).list({ perPage: 100 })
  return data.filter(({ recordId }) => recordId === id).map(({ kind, params }) => [kind, params])
}

/** What an entry says, in one word or two. */
const short = (entry: TimelineEntry) =>
  entry.kind === 'run'
    ? `run ${entry.result ?? entry.cycle}`
    : entry.kind === 'status'
      ? `${entry.before} ${entry.after}`
      : entry.label

it('tells what happened in order: changes, runs with their ends, what they made of the status, limits', async () => {
  const agent = await ground.agent()
  const id = await ground.account({ limits: { perDay: null, perHour: 2, quietHours: null } })
  const campaign = await ground.campaign([id], [agent], { errors: { attempts: 3, backoffSeconds: 0 } })
  await agent.fail(await agent.begin())
  await agent.finish(await agent.begin())
  await ground.reaches(campaign, 'finished')
  const { version } = await ground.accounts.get({ id })
  await ground.accounts.update({ id, version, status: 'paused' })
  const { entries, next } = await timeline(id)
  expect(next).toBeNull()
  expect(entries.map(short)).toEqual([
    'account.update',
    'new cooling_down',
    'run succeeded',
    'run failed',
    'account.create',
  ])
  expect(entries[2]).toMatchObject({ seen: true, campaignId: campaign, limit: 'hour', error: null })
  expect(entries[3]).toMatchObject({ limit: null, error: { class: 'NotFound', message: 'No such button.' } })
  expect(entries[0]).toMatchObject({ actorName: 'ann', after: { status: 'paused' } })
  await agent.leave()
})

it('rests once a limit is reached, and is ready again when its limits let it begin', async () => {
  const agent = await ground.agent()
  const limits = { perDay: 1, perHour: null, quietHours: null }
  const id = await ground.account({ limits })
  const done = await ground.campaign([id], [agent])
  await agent.finish(await agent.begin())
  await ground.reaches(done, 'finished')
  const { db } = ground.server.deps
  const now = () => ground.accounts.get({ id })
  const resting = await now()
  expect(resting.status).toBe('cooling_down')
  const left = (Date.parse(resting.coolingUntil ?? '') - Date.now()) / 3_600_000
  expect(left).toBeGreaterThan(23)
  expect(left).toBeLessThanOrEqual(24)
  // What waits says why, and not only that the account rests.
  const waiting = await ground.campaign([id], [agent])
  await expect.poll(() => ground.waits(waiting)).toEqual({ 1: ['wait.account_limit'] })
  await wakeRested(ground.server.deps)
  expect((await now()).status).toBe('cooling_down')
  await db.execute(sql`update run set started_at = started_at - interval '20 hours' where account_id = ${id}`)
  await db.execute(sql`update account set cooling_until = now() - interval '1 second' where id = ${id}`)
  await wakeRested(ground.server.deps)
  const longer = await now()
  expect(longer.status).toBe('cooling_down')
  expect(Date.parse(longer.coolingUntil ?? '') - Date.now()).toBeGreaterThan(3 * 3_600_000)
  const { version } = longer
  await ground.accounts.update({ id, version, limits: { ...limits, perDay: 2 } })
  await wakeRested(ground.server.deps)
  expect(await now()).toMatchObject({ status: 'ready', coolingUntil: null })
  await ground.campaigns.cancel({ id: waiting })
  const statuses = (await timeline(id)).entries.filter(({ kind }) => kind === 'status')
  expect(statuses).toMatchObject([
    { before: 'cooling_down', after: 'ready', reason: 'rested', error: null },
    { before: 'new', after: 'cooling_down', reason: 'limit', error: null },
  ])
  await agent.leave()
})

it('pauses between two of its runs for as long as is set, counted from the end of the one before', async () => {
  const agent = await ground.agent()
  const id = await ground.account({ limits: { cooldownMinutes: 30 } })
  const now = () => ground.accounts.get({ id })
  expect((await now()).limits).toEqual({
    perDay: null,
    perHour: null,
    cooldownMinutes: 30,
    quietHours: null,
  })
  const done = await ground.campaign([id], [agent])
  await agent.finish(await agent.begin())
  await ground.reaches(done, 'finished')
  const resting = await now()
  expect(resting.status).toBe('cooling_down')
  const left = (Date.parse(resting.coolingUntil ?? '') - Date.now()) / 60_000
  expect(left).toBeGreaterThan(28)
  expect(left).toBeLessThanOrEqual(30)
  const waiting = await ground.campaign([id], [agent])
  await expect.poll(() => ground.waits(waiting)).toEqual({ 1: ['wait.account_cooldown'] })
  await agent.nothing(600)
  // The pause is over: dispatch waits for no job.
  await ground.server.deps.db.execute(
    sql`update run set finished_at = finished_at - interval '30 minutes' where account_id = ${id}`,
  )
  await agent.fail(await agent.begin())
  await ground.reaches(waiting, 'finished_with_errors')
  const again = await now()
  expect(again.status).toBe('cooling_down')
  await ground.accounts.update({ id, version: again.version, limits: { cooldownMinutes: null } })
  await wakeRested(ground.server.deps)
  expect(await now()).toMatchObject({ status: 'ready', coolingUntil: null })
  await agent.leave()
})

it('goes on with an item that was held, whatever its limits, and begins nothing else meanwhile', async () => {
  const agent = await ground.agent()
  const id = await ground.account({ limits: { cooldownMinutes: 30 } })
  const campaign = await ground.campaign([id], [agent])
  const wait = {
    kind: 'time',
    seconds: 1,
    stepId: 'wait',
    stepName: 'Wait',
    path: 'wait',
    question: null,
  } as const
  const held = { result: 'held', hold: { ...wait, state: { held: {}, pages: [] } } } as const
  await agent.finish(await agent.begin(), held)
  const other = await ground.campaign([id], [agent])
  await expect.poll(() => ground.waits(other)).toEqual({ 1: ['wait.account_cooldown'] })
  const going = await agent.begin()
  expect(going.job.campaign?.id).toBe(campaign)
  await agent.finish(going)
  await ground.reaches(campaign, 'finished')
  expect((await ground.accounts.get({ id })).status).toBe('cooling_down')
  expect(await ground.waits(other)).toEqual({ 1: ['wait.account_cooldown'] })

  const often = await ground.account({ limits: { perDay: 1, perHour: 1 } })
  const last = await ground.campaign([often], [agent])
  await agent.finish(await agent.begin(), held)
  await agent.finish(await agent.begin())
  await ground.reaches(last, 'finished')
  await agent.leave()
})

it('is paused when it fails the same way three times in a row; whoever lets it go on gives it a fresh start', async () => {
  const agent = await ground.agent()
  const { db } = ground.server.deps
  const id = await ground.account({ status: 'ready' })
  const another = {
    error: { class: 'NotFound', message: 'Another.', stepId: 'post', stepName: 'Post it' },
  } as const
  const fails = async (times: number, how: Parameters<typeof agent.fail>[1] = {}) => {
    for (let n = 0; n < times; n += 1) {
      const campaign = await ground.campaign([id], [agent])
      await agent.fail(await agent.begin(), how)
      await ground.itemsReach(campaign, 'failed')
    }
    const { status, version } = await ground.accounts.get({ id })
    return { status, version }
  }
  expect(await fails(2)).toMatchObject({ status: 'ready' })
  // Another failure between them begins the count anew.
  expect(await fails(1, another)).toMatchObject({ status: 'ready' })
  expect(await fails(1)).toMatchObject({ status: 'ready' })
  // An attempt that is made again says nothing: neither is it counted, nor does it part those that are alike.
  const retried = await ground.campaign([id], [agent], { errors: { attempts: 2, backoffSeconds: 0 } })
  await agent.fail(await agent.begin(), another)
  await agent.fail(await agent.begin())
  await ground.itemsReach(retried, 'failed')
  expect((await ground.accounts.get({ id })).status).toBe('ready')
  const { version } = await fails(1)
  const [event] = (await timeline(id)).entries
  expect(event).toMatchObject({
    before: 'ready',
    after: 'paused',
    reason: 'failures',
    error: 'No such button.',
  })
  expect(await toldOf(ground, id)).toEqual([
    ['account.paused', { account: expect.any(String), failures: 3, error: 'No such button.' }],
  ])
  await ground.accounts.update({ id, version, status: 'ready' })
  expect(await fails(2)).toMatchObject({ status: 'ready' })
  await db.execute(sql`insert into setting (key, value) values ('accountFailures', '0')`)
  expect(await fails(2)).toMatchObject({ status: 'ready' })
  await db.execute(sql`delete from setting where key = 'accountFailures'`)
  await agent.leave()
})

it('tells the owner, and whoever has the campaign, that an account needs them; nobody else, and once', async () => {
  const agent = await ground.agent()
  const [dora, eve] = [await ground.neighbour('dora'), await ground.neighbour('eve')]
  const id = await ground.account({ status: 'ready' })
  const campaign = await ground.campaign([id], [agent])
  const holder = await agent.begin()
  // The account is another's by now.
  await ground.server.deps.db.execute(sql`update account set owner_id = ${dora.person.id} where id = ${id}`)
  await agent.fail(holder, { accountRejected: true })
  await ground.itemsReach(campaign, 'failed')
  const told = [['account.needsSignIn', { account: expect.any(String) }]]
  expect(await toldOf(dora, id)).toEqual(told)
  expect(await toldOf(ground, id)).toEqual(told)
  expect(await toldOf(eve, id)).toEqual([])
  await agent.leave()
})

it('comes in pages that meet without a gap, also where times are the same', async () => {
  const id = await ground.account()
  await ground.server.deps.db.execute(sql`
    insert into account_event (account_id, at, before, after)
    select ${id}::uuid, now() - make_interval(secs => n / 3), 'ready', 'needs_sign_in' from generate_series(1, 20) n`)
  const all = (await timeline(id, { limit: 100 })).entries
  expect(all).toHaveLength(21)
  const found: TimelineEntry[] = []
  for (let before: string | undefined, turn = 0; turn < 10; turn += 1) {
    const { entries, next } = await timeline(id, { limit: 4, ...(before === undefined ? {} : { before }) })
    found.push(...entries)
    if (next === null) break
    before = next
  }
  expect(found).toEqual(all)
})

it('is for those who see the account, and tells nothing of campaigns that they may not see', async () => {
  const agent = await ground.agent()
  const id = await ground.account()
  await ground.campaign([id], [agent])
  await agent.begin()
  const bob = await ground.neighbour('bob')
  expect(await codeOf(bob.accounts.timeline({ id }))).toBe('record.not_found')
  const auditor = await ground.server.withRules('cora', [{ action: 'VIEW', subject: 'ACCOUNT' }])
  const { entries } = await auditor.api(accounts).timeline({ id })
  expect(entries[0]).toMatchObject({
    kind: 'run',
    seen: false,
    campaignId: null,
    campaignTitle: null,
    workflowName: null,
    cycle: 'running',
  })
  expect(await codeOf(timeline(id, { before: 'yesterday' }))).toBe('request.invalid')
  await agent.leave()
})
