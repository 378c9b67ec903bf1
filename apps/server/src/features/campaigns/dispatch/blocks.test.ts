import { describe, expect, it } from 'vitest'
import { accountBlock, paceAllows, siteBlock, type AccountFacts } from './blocks.ts'

const now = new Date('2026-11-21T12:00:00Z')
const free = { maxParallel: null, perAccountPerDay: null, perDomainPerMinute: null, delaySeconds: 0 }
const account: AccountFacts = {
  name: 'harbour01',
  status: 'ready',
  deleted: false,
  perDay: null,
  perHour: null,
  cooldownMinutes: null,
  quietHours: null,
  dayUntil: null,
  hourUntil: null,
  pauseUntil: null,
}

const begins = { timeZone: 'UTC', goesOn: false }

describe('why an account waits', () => {
  it('names status, quiet hours, the limit that is reached first, and the pause after a run', () => {
    expect(accountBlock(account, free, now, begins)).toBeNull()
    expect(accountBlock({ ...account, status: 'paused' }, free, now, begins)?.code).toBe(
      'wait.account_status',
    )
    expect(accountBlock({ ...account, deleted: true }, free, now, begins)?.code).toBe('wait.resource_gone')
    expect(accountBlock({ ...account, quietHours: '11:00-13:00' }, free, now, begins)?.code).toBe(
      'wait.quiet_hours',
    )
    const until = new Date('2026-11-21T12:20:00Z')
    const used = { ...account, perDay: 10, perHour: 3, hourUntil: until }
    expect(accountBlock(used, free, now, begins)).toEqual({
      code: 'wait.account_limit',
      params: { name: 'harbour01', limit: 3, per: 'hour', until: until.toISOString() },
    })
    const full = { ...used, dayUntil: until }
    expect(accountBlock(full, { ...free, perAccountPerDay: 5 }, now, begins)?.params).toMatchObject({
      limit: 5,
      per: 'day',
    })
    expect(accountBlock({ ...account, cooldownMinutes: 30, pauseUntil: until }, free, now, begins)).toEqual({
      code: 'wait.account_cooldown',
      params: { name: 'harbour01', count: 30, until: until.toISOString() },
    })
  })
})

describe('how many items the pacing lets begin', () => {
  const facts = { active: 0, nextStartAt: null }
  it('is unbounded when nothing is set', () => {
    expect(paceAllows(free, facts, now).count).toBe(Infinity)
  })
  it('takes the tightest of all bounds', () => {
    const pacing = { ...free, maxParallel: 5, delaySeconds: 10 }
    expect(paceAllows(pacing, { ...facts, active: 4 }, now)).toMatchObject({ count: 1 })
    expect(paceAllows(pacing, { ...facts, active: 5 }, now)).toMatchObject({
      count: 0,
      reason: { code: 'wait.pacing_parallel' },
    })
  })
  it('begins one at a time while there is a delay between starts', () => {
    const pacing = { ...free, delaySeconds: 10 }
    expect(paceAllows(pacing, facts, now).count).toBe(1)
    expect(paceAllows(pacing, { ...facts, nextStartAt: new Date(now.getTime() + 1) }, now).count).toBe(0)
  })
})

describe('why a domain waits', () => {
  it('is that as many began there in the last minute as may', () => {
    const startsOn = (site: string) => (site === 'busy.example' ? 3 : 0)
    expect(siteBlock(['busy.example'], startsOn, null)).toBeNull()
    expect(siteBlock(['calm.example'], startsOn, 3)).toBeNull()
    expect(siteBlock(['calm.example', 'busy.example'], startsOn, 4)).toBeNull()
    expect(siteBlock(['calm.example', 'busy.example'], startsOn, 3)).toEqual({
      code: 'wait.pacing_domain',
      params: { limit: 3, domain: 'busy.example' },
    })
  })
})
