import { expect, test } from '@playwright/test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { seedAccounts } from '@weft/practice/seed'
import { until, Weft } from './support/weft.ts'

const ROUNDS = 10
const OVER = ['done', 'failed', 'uncertain', 'skipped', 'cancelled']
const countSchema = z.object({ groups: z.array(z.object({ key: z.string(), count: z.number() })) })

/** How many notices each account really posted under a heading, as the site itself counts them. */
async function posted(weft: Weft, heading: string): Promise<Map<string, number>> {
  const answer = await fetch(
    `${weft.practiceUrl}/api/notices/count?by=account&q=${encodeURIComponent(`${heading} (`)}`,
  )
  const { groups } = countSchema.parse(await answer.json())
  return new Map(groups.map((group) => [group.key, group.count]))
}

test('server, agent and Postgres killed in turn: no item is lost and none is done twice', async () => {
  test.setTimeout(600_000)
  const weft = await Weft.start({ WEFT_SLOTS: '2' })
  try {
    const api = await weft.setUp()
    const campaign = await until('the first campaign', async () => (await api.campaigns.list({})).data[0])
    await until('the local client', async () =>
      (await api.clients.list({})).data.find((client) => client.connection === 'online'),
    )
    const wrong = await until(
      'the wrong account',
      async () => (await api.accounts.list({ q: 'harbour07', perPage: 5 })).data[0],
    )
    const right = seedAccounts.find((account) => account.username === wrong.username)
    await api.accounts.update({ id: wrong.id, version: wrong.version, password: right?.password ?? '' })
    let round = 0
    let run = campaign
    const outcomes = { done: 0, uncertain: 0, failed: 0 }
    while (round < ROUNDS) {
      const heading = `Kept once ${round}`
      const copy = await api.campaigns.copy({ id: campaign.id })
      run = await api.campaigns.update({ id: copy.id, version: copy.version, inputs: { heading } })
      await api.campaigns.start({ id: run.id })
      while (round < ROUNDS) {
        await sleep(1200 + Math.random() * 1500)
        const now = await until('the campaign', () => api.campaigns.get({ id: run.id }))
        if (now.tally.done + now.tally.failed + now.tally.uncertain >= now.total && now.total > 0) break
        const victim = (['server', 'agent', 'postgres'] as const)[round % 3] ?? 'server'
        if (victim === 'server') {
          await weft.killServer()
          // The five seconds are measured on a quiet machine. Here two browsers are at work meanwhile, and this says only
          // that it comes back within half a minute.
          expect(await weft.startServer()).toBeLessThan(30_000)
        } else if (victim === 'agent') weft.killAgent()
        else weft.killPostgres()
        round += 1
      }
      const items = await until(
        `every item of ${heading} to be over`,
        async () => {
          const found = await api.campaigns.items({ id: run.id, perPage: 100 })
          return found.data.length === seedAccounts.length &&
            found.data.every((item) => OVER.includes(item.state))
            ? found.data
            : null
        },
        240_000,
      )
      const notices = await posted(weft, heading)
      for (const item of items) {
        const times = notices.get(item.account?.name ?? '') ?? 0
        expect(times, `${item.account?.name} posted ${times} times and is ${item.state}`).toBeLessThanOrEqual(
          1,
        )
        if (item.state === 'done') expect(times, `${item.account?.name} is done`).toBe(1)
        if (item.state === 'uncertain') expect(item.error?.class).toMatch(/^Effect(Unknown|Done)$/)
        if (item.state in outcomes) outcomes[item.state as keyof typeof outcomes] += 1
      }
    }
    test.info().annotations.push({ type: 'outcomes', description: JSON.stringify(outcomes) })
    expect(outcomes.done).toBeGreaterThan(0)
  } finally {
    await weft.stop()
  }
})
