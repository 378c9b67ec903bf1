import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { BenchServer, median, report, type BenchRow } from './support/server.ts'

const AGENTS = 20
const SLOTS = 10
const ITEMS = 10_000
const LARGE = 100_000
const ROUNDS = 3

type Api = Awaited<ReturnType<BenchServer['signIn']>>

/** A published workflow that does nothing, in the wire form of its document. */
async function nothingWorkflow(api: Api): Promise<string> {
  const state = Buffer.from(JSON.stringify({ result: 'success' })).toString('base64')
  const made = await api.workflows.create({
    name: 'Nothing',
    draft: {
      schemaVersion: 1,
      inputs: [],
      variables: [],
      start: 'only',
      activities: [{ id: 'only', type: 'finish', state }],
      connections: [],
      settings: { timeLimitSeconds: 60, maxAttempts: 1, traceOn: 'never' },
    },
  })
  await api.workflows.publish({ id: made.id, version: made.version })
  return made.id
}

async function makeAccounts(pool: pg.Pool, ownerId: string, count: number): Promise<void> {
  await pool.query(
    `insert into account (id, owner_id, type, username, status)
     select uuidv7(), $1, 'website', 'bench-' || g, 'ready' from generate_series(1, $2) g`,
    [ownerId, count],
  )
}

async function makeCampaign(api: Api, pool: pg.Pool, workflowId: string, title: string, accounts: number) {
  const made = await api.campaigns.create({
    title,
    workflowId,
    pairing: { per: 'account', profile: 'none', proxy: 'none' },
  })
  await pool.query(
    `insert into campaign_resource (campaign_id, kind, resource_id)
     select $1::uuid, 'accounts', id from (select id from account order by id limit $2) a
     union all select $1::uuid, 'clients', id from client`,
    [made.id, accounts],
  )
  return made.id
}

async function startAndWait(api: Api, id: string, over: (state: string) => boolean): Promise<number> {
  const started = performance.now()
  await api.campaigns.start({ id })
  for (;;) {
    const campaign = await api.campaigns.get({ id })
    if (over(campaign.state)) return performance.now() - started
    await sleep(100)
  }
}

/** The least that claiming and settling can cost: one row each time, two transactions, as many connections as agents. */
async function bareLoop(pool: pg.Pool): Promise<number> {
  await pool.query('drop table if exists bench_item')
  await pool.query(
    `create table bench_item (id uuid primary key, seq int, state text not null, token text, result jsonb)`,
  )
  await pool.query(
    `insert into bench_item select uuidv7(), g, 'ready', null, null from generate_series(1, $1) g`,
    [ITEMS],
  )
  await pool.query(`create index on bench_item (seq) where state = 'ready'`)
  await pool.query('analyze bench_item')
  const started = performance.now()
  await Promise.all(
    Array.from({ length: AGENTS }, async () => {
      for (;;) {
        const claimed = await pool.query<{ id: string }>(
          `update bench_item set state = 'leased', token = 'x' where id = (select id from bench_item
             where state = 'ready' order by seq limit 1 for update skip locked) returning id`,
        )
        const row = claimed.rows[0]
        if (!row) return
        await pool.query(
          `update bench_item set state = 'done', result = '{}' where id = $1 and state = 'leased'`,
          [row.id],
        )
      }
    }),
  )
  return ITEMS / ((performance.now() - started) / 1000)
}

/** Items settled per second through the real calls beside the bare loop; planning; what a paused campaign costs. */
export async function run(): Promise<BenchRow[]> {
  const server = await BenchServer.start()
  const pool = server.pool(AGENTS)
  const child = fork(join(import.meta.dirname, 'support/simulated-agents.ts'), { stdio: 'inherit' })
  try {
    await sleep(3000)
    const idleMb = server.rssMb()
    const api = await server.signIn()
    const workflowId = await nothingWorkflow(api)
    await makeAccounts(pool, api.userId, LARGE)
    const codes: string[] = []
    for (let index = 0; index < AGENTS; index += 1)
      codes.push((await api.clients.joinCode({ maxSlots: SLOTS })).code)
    child.send({ serverUrl: server.url, joinCodes: codes, slots: SLOTS })
    await once(child, 'message')

    const engine: number[] = []
    const bare: number[] = []
    // The first round warms both up and does not count.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const id = await makeCampaign(api, pool, workflowId, `Round ${round}`, ITEMS)
      const ms = await startAndWait(api, id, (state) => state.startsWith('finished'))
      const bareRate = await bareLoop(pool)
      if (round === 0) continue
      engine.push(ITEMS / (ms / 1000))
      bare.push(bareRate)
    }
    const perSecond = median(engine)
    const ratio = perSecond / median(bare)

    child.kill('SIGKILL')
    await sleep(500)
    const before = server.rssMb()
    const large = await makeCampaign(api, pool, workflowId, 'Large', LARGE)
    const started = performance.now()
    let peak = before
    await api.campaigns.start({ id: large })
    for (;;) {
      peak = Math.max(peak, server.rssMb())
      const { tally } = await api.campaigns.get({ id: large })
      if (tally.ready + tally.leased >= LARGE) break
      await sleep(100)
    }
    const planSeconds = (performance.now() - started) / 1000
    await api.campaigns.pause({ id: large })
    await sleep(3000)
    const cpu = server.cpuMs()
    await sleep(10_000)
    const idleCpu = (server.cpuMs() - cpu) / 10_000

    return [
      row('items settled per second by the engine', perSecond, '/s', '≥ 500', perSecond >= 500),
      row('the bare claim-and-settle loop in the same run', median(bare), '/s', '', true),
      row('engine ÷ bare loop', ratio * 100, '%', '≥ 40', ratio >= 0.4),
      row('100,000 items planned and ready', planSeconds, 's', '≤ 15', planSeconds <= 15),
      row('memory growth of the server meanwhile', peak - before, 'MB', '≤ 150', peak - before <= 150),
      row('processor share with that campaign paused', idleCpu * 100, '%', '≤ 2', idleCpu <= 0.02),
      row('memory of the idle server', idleMb, 'MB', '≤ 250', idleMb <= 250),
    ]
  } finally {
    child.kill('SIGKILL')
    await pool.end()
    await server.stop()
  }
}

const row = (name: string, value: number, unit: string, bar: string, ok: boolean): BenchRow => ({
  name,
  value,
  unit,
  bar,
  ok,
})

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
