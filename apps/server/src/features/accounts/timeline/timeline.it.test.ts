import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import type { TimelineEntry } from '@weft/contract/accounts/timeline'
import { Ground } from '../../../engine/testing/ground.ts'
import { codeOf } from '../../../testing/browser.ts'

let ground: Ground

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())

const timeline = (id: string, more: { before?: string; limit?: number } = {}) =>
  ground.accounts.timeline({ id, ...more })

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
    'new ready',
    'run succeeded',
    'run failed',
    'account.create',
  ])
  expect(entries[2]).toMatchObject({ seen: true, campaignId: campaign, limit: 'hour', error: null })
  expect(entries[3]).toMatchObject({ limit: null, error: { class: 'NotFound', message: 'No such button.' } })
  expect(entries[0]).toMatchObject({ actorName: 'ann', after: { status: 'paused' } })
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
