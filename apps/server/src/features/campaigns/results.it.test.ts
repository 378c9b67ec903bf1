import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { campaigns } from '@weft/contract/campaigns/api'
import { call } from '@weft/contract/core/client'
import { reports } from '@weft/contract/reports/api'
import { Ground } from '../../engine/testing/ground.ts'

let ground: Ground
let id: string
let names: string[]

beforeAll(async () => {
  ground = await Ground.open()
  const agent = await ground.agent(3)
  const accounts = await ground.accountsOf(3)
  names = await Promise.all(
    accounts.map(async (account) => (await ground.accounts.get({ id: account })).username),
  )
  id = await ground.campaign(accounts, [agent])
  const holders = [await agent.begin(), await agent.begin(), await agent.begin()]
  for (const holder of holders) {
    if (holder.job.itemSeq === 1)
      await agent.finish(holder, { outputs: { number: 7, text: '=1+1', 'a, "b"': ['x'] } })
    else if (holder.job.itemSeq === 2) await agent.fail(holder)
    else {
      await ground.runs.cancel({ id: holder.runId })
      await agent.finish(holder, { result: 'cancelled' })
    }
  }
  await ground.reaches(id, 'finished_with_errors')
  await agent.leave()
})
afterAll(() => ground.server.stop())

const exported = async (format: 'csv' | 'ndjson') =>
  (await call(ground.person.transport, campaigns.results, { id, format })).text()

describe('the results of a campaign', () => {
  it('are a row per item with a column per value, and no cell that a spreadsheet would run', async () => {
    const lines = (await exported('csv')).trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/^.?seq,state,attempts,account,.*,errorStep,"a, ""b""",number,text$/)
    expect(lines[1]).toContain(`1,done,1,${names[0]},`)
    expect(lines[1]).toMatch(/,7,'=1\+1$/)
    expect(lines[2]).toContain(`2,failed,1,${names[1]},`)
    expect(lines[2]).toContain('NotFound,No such button.,Post it')
    expect(lines[3]).toContain(`3,cancelled,1,${names[2]},`)
  })

  it('are the same in NDJSON, with values as they are', async () => {
    const rows = (await exported('ndjson')).trim().split('\n')
    expect(rows.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { seq: 1, state: 'done', account: names[0], outputs: { number: 7, text: '=1+1', 'a, "b"': ['x'] } },
      { seq: 2, state: 'failed', errorClass: 'NotFound', outputs: {} },
      { seq: 3, state: 'cancelled', errorClass: null },
    ])
  })

  it('are what the report counts', async () => {
    const hour = 3_600_000
    const summary = await ground.person.api(reports).summary({
      from: new Date(Date.now() - hour).toISOString(),
      to: new Date(Date.now() + hour).toISOString(),
      timeZone: 'Europe/Paris',
      groupBy: 'day',
    })
    expect(summary).toMatchObject({
      campaigns: { total: 1, running: 0, needsPerson: 0 },
      clients: { total: 1, online: 1, slots: 3, freeSlots: 3 },
      current: { done: 1, failed: 1, uncertain: 0, runs: 3 },
      previous: { runs: 0 },
      errors: [{ class: 'NotFound', count: 1 }],
      recent: [{ id }],
    })
    expect(summary.series.reduce((sum, point) => sum + point.done + point.failed, 0)).toBe(2)
    expect(summary.current.p50Ms).toBeGreaterThanOrEqual(0)
  })
})
