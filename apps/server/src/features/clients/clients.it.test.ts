import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clients } from '@weft/contract/clients/api'
import { CLIENT_SAMPLE_DAYS } from '@weft/contract/clients/schema'
import { Ground, refusal } from '../../engine/testing/ground.ts'
import type { HandAgent } from '../../engine/testing/hand-agent.ts'
import { clearOnce } from '../../plugins/housekeeping.ts'
import { newId } from '../../kit/record.ts'

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

const api = () => ground.person.api(clients)

describe('what a client did', () => {
  it('is kept once a minute, told in stretches, and forgotten after a week', async () => {
    const { db } = ground.server.deps
    const id = agent.clientId
    await db.execute(sql`delete from client_sample where client_id = ${id}`)
    await db.execute(sql`update client set last_seen_at = now() - interval '2 minutes' where id = ${id}`)
    const free = [0, 1].map((slot) => ({ slot, runId: null, step: null }))
    await agent.beat({ cpu: 40, memMb: 2_000, slots: free })
    await agent.beat({ cpu: 90, memMb: 3_000 })
    const { points, stepSeconds } = await api().load({ id, hours: 1 })
    expect(stepSeconds).toBe(60)
    expect(points.length).toBeGreaterThanOrEqual(1)
    expect(points[0]).toMatchObject({ cpu: 40, mem: 2_000, busy: 0 })
    await db.execute(sql`
      insert into client_sample (client_id, at, cpu, mem_mb, busy, slots)
      select ${id}, date_trunc('minute', now()) - make_interval(mins => n), 10, 1000, 1, 2 from generate_series(2, 20000) n`)
    const week = await api().load({ id, hours: CLIENT_SAMPLE_DAYS * 24 })
    expect(week.points.length).toBeLessThanOrEqual(241)
    expect(week.points.length).toBeGreaterThan(200)
    expect(week.points[100]).toMatchObject({ cpu: 10, mem: 1000, busy: 1, slots: 2 })
    await clearOnce(ground.server.deps, (error) => {
      throw error
    })
    const { rows } = await db.execute(
      sql`select min(at) > now() - interval '7 days 1 minute' as young from client_sample`,
    )
    expect(rows).toEqual([{ young: true }])
  })

  it('is nobody else’s to see', async () => {
    const other = await ground.server.as('operator', 'somebody-else')
    const id = agent.clientId
    expect(await refusal(other.api(clients).load({ id }))).toBe('404 record.not_found')
    expect(await refusal(other.api(clients).diagnose({ id }))).toBe('404 record.not_found')
    expect(await refusal(api().load({ id, hours: 10_000 }))).toBe('422 request.invalid')
  })
})

it('what may keep a client from working is looked at, one by one', async () => {
  await agent.beat({ refusing: 'no browser can be started', diskFreeMb: 100 })
  const found = await api().diagnose({ id: agent.clientId })
  // This agent has no browsers either.
  expect(found.filter(({ id, state }) => state === 'bad' && id !== 'browsers')).toMatchObject([
    { id: 'refusing', params: { reason: 'no browser can be started' } },
    { id: 'disk', params: { megabytes: 100 } },
  ])
  await agent.beat()
})

describe('a join code', () => {
  it('is listed without its text while it is good, and ended by whoever made it', async () => {
    const made = await api().joinCode({ labels: ['paris'], maxSlots: 3 })
    const listed = await api().joinCodes({})
    expect(listed.find(({ id }) => id === made.id)).toMatchObject({ labels: ['paris'], maxSlots: 3 })
    expect(JSON.stringify(listed)).not.toContain(made.code)
    const other = await ground.server.as('operator', 'somebody-else')
    expect(await other.api(clients).joinCodes({})).toEqual([])
    expect(await refusal(other.api(clients).revokeJoinCode({ id: made.id }))).toBe('404 record.not_found')
    await api().revokeJoinCode({ id: made.id })
    expect((await api().joinCodes({})).map(({ id }) => id)).not.toContain(made.id)
    expect(await refusal(api().revokeJoinCode({ id: made.id }))).toBe('404 record.not_found')
    expect(await refusal(api().revokeJoinCode({ id: newId() }))).toBe('404 record.not_found')
    const { rows } = await ground.server.deps.db.execute(
      sql`select expires_at <= now() as over from join_code where id = ${made.id}`,
    )
    expect(rows).toEqual([{ over: true }])
  })
})
