import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { z } from 'zod'
import type { Tally } from '@weft/contract/campaigns/schema'
import { seedAccounts } from '@weft/practice/seed'
import { until, Weft } from '../e2e/support/weft.ts'
import { median, report, type BenchRow } from './support/server.ts'

const ITEMS = 2_000
const KILLS = 50
const SLOTS = 8
const HEADING = 'Kept once'
const VICTIMS = ['server', 'agent', 'postgres'] as const

type Api = Awaited<ReturnType<Weft['setUp']>>

/** Posts a notice by one irreversible request and waits a moment, so that a kill meets items in every state. */
function postingWorkflow(siteUrl: string, token: string) {
  const step = (id: string, type: string, state: object) => ({
    id,
    type,
    state: Buffer.from(JSON.stringify(state)).toString('base64'),
  })
  return {
    schemaVersion: 1,
    inputs: [],
    variables: [],
    start: 'before',
    activities: [
      step('before', 'delay', { seconds: 0.3 }),
      step('post', 'http-request', {
        method: 'POST',
        url: `${siteUrl}/api/notices`,
        headers: [{ name: 'authorization', value: `Bearer ${token}` }],
        bodyType: 'json',
        bodyJson: `{ title: '${HEADING} (' + item.account.username + ')', body: 'Posted while things broke.', category: 'work' }`,
        sideEffect: 'irreversible',
      }),
      step('after', 'delay', { seconds: 0.3 }),
      step('end', 'finish', { outputs: [{ name: 'number', value: '{{ steps.post.body.number }}' }] }),
    ],
    connections: [
      { from: 'before', outcome: 'done', to: 'post' },
      { from: 'post', outcome: 'done', to: 'after' },
      { from: 'after', outcome: 'done', to: 'end' },
    ],
    settings: { timeLimitSeconds: 60, maxAttempts: 1, traceOn: 'never' },
  }
}

/** A campaign of many items, one for each of as many accounts, on the local agent. */
async function makeCampaign(weft: Weft, api: Api): Promise<string> {
  const client = await until('the local client', async () =>
    (await api.clients.list({})).data.find(({ connection }) => connection === 'online'),
  )
  const workflow = await api.workflows.create({
    name: 'Post by request',
    draft: postingWorkflow(weft.practiceUrl, seedAccounts[0]?.token ?? ''),
  })
  await api.workflows.publish({ id: workflow.id, version: workflow.version })
  const campaign = await api.campaigns.create({
    title: 'Crash',
    workflowId: workflow.id,
    pairing: { per: 'account', profile: 'none', proxy: 'none' },
    errors: { attempts: 5, backoffSeconds: 0, stopAfter: null, stopAfterPercent: null },
  })
  const pool = new Pool({
    host: join(weft.dataDir, 'run'),
    port: 5432,
    database: 'weft',
    user: 'weft',
    max: 1,
  })
  try {
    await pool.query(
      `with made as (
         insert into account (id, owner_id, type, username, status, allowed_domains)
         select uuidv7(), $1, 'website', 'crash-' || g, 'ready', array[$2] from generate_series(1, $3::int) g returning id)
       insert into campaign_resource (campaign_id, kind, resource_id)
       select $4::uuid, 'accounts', id from made union all select $4::uuid, 'clients', $5::uuid`,
      [campaign.ownerId, new URL(weft.practiceUrl).host, ITEMS, campaign.id, client.id],
    )
  } finally {
    await pool.end()
  }
  return campaign.id
}

const settledOf = (tally: Tally) =>
  tally.done + tally.failed + tally.uncertain + tally.skipped + tally.cancelled

/** Kills one of the programs and gives the milliseconds until the server is ready again. */
async function killOne(weft: Weft, victim: (typeof VICTIMS)[number]): Promise<number> {
  if (victim === 'server') {
    await weft.killServer()
    return weft.startServer()
  }
  const killed = performance.now()
  if (victim === 'agent') weft.killAgent()
  else {
    weft.killPostgres()
    await until('the database to be missed', async () => !(await isReady(weft)), 1_000).catch(() => undefined)
  }
  await until('the server to be ready', () => isReady(weft), 30_000)
  return performance.now() - killed
}

const isReady = async (weft: Weft) => (await fetch(`${weft.url}/health/ready`).catch(() => null))?.ok === true

/** How many notices the practice site really has, by their titles. */
async function posted(weft: Weft): Promise<Map<string, number>> {
  const answer = await fetch(
    `${weft.practiceUrl}/api/notices/count?by=title&q=${encodeURIComponent(HEADING)}`,
  )
  const { groups } = z
    .object({ groups: z.array(z.object({ key: z.string(), count: z.number() })) })
    .parse(await answer.json())
  return new Map(groups.map(({ key, count }) => [key, count]))
}

/** Compares every item of the ledger with what the site has; gives the faults in words. */
async function faultsOf(weft: Weft, api: Api, id: string): Promise<{ faults: string[]; uncertain: number }> {
  const notices = await posted(weft)
  const faults: string[] = []
  let seen = 0
  let uncertain = 0
  for (let page = 1; seen < ITEMS; page += 1) {
    const { data } = await api.campaigns.items({ id, page, perPage: 200 })
    if (data.length === 0) break
    seen += data.length
    for (const item of data) {
      const name = item.account?.name ?? ''
      const times = notices.get(`${HEADING} (${name})`) ?? 0
      const fault = (text: string) =>
        faults.push(`${name} is ${item.state} and posted ${times} times: ${text}`)
      if (times > 1) fault('done twice')
      if (item.state === 'done' && times !== 1) fault('done without its notice')
      if (item.state === 'failed' && times !== 0) fault('failed with a notice')
      if (item.state === 'uncertain') {
        uncertain += 1
        if (!item.error?.class.startsWith('Effect')) fault(`uncertain by ${item.error?.class}`)
      }
      if (!['done', 'failed', 'uncertain'].includes(item.state)) fault('not settled')
    }
  }
  if (seen !== ITEMS) faults.push(`${ITEMS - seen} items are gone`)
  return { faults, uncertain }
}

/** 50 × `kill -9` of server, agent and Postgres in turn, during a campaign of 2,000 items. */
export async function run(): Promise<BenchRow[]> {
  const weft = await Weft.start({ WEFT_SLOTS: String(SLOTS) })
  try {
    const api = await weft.setUp()
    const id = await makeCampaign(weft, api)
    await api.campaigns.start({ id })
    const ready: number[] = []
    const look = () => until('the campaign', () => api.campaigns.get({ id }), 60_000)
    while (ready.length < KILLS) {
      await sleep(1_000 + Math.random() * 1_000)
      const { tally, total } = await look()
      if (total > 0 && settledOf(tally) >= total) break
      // The kills are spread over the whole campaign.
      if (settledOf(tally) < ((ready.length + 1) / (KILLS + 2)) * ITEMS) continue
      ready.push(await killOne(weft, VICTIMS[ready.length % VICTIMS.length] ?? 'server'))
    }
    await until('every item to be settled', async () => settledOf((await look()).tally) >= ITEMS, 900_000)
    const { faults, uncertain } = await faultsOf(weft, api, id)
    for (const fault of faults.slice(0, 20)) console.log(fault)
    const slowest = Math.max(...ready) / 1000
    return [
      { name: 'programs killed', value: ready.length, unit: '', bar: '≥ 50', ok: ready.length >= KILLS },
      {
        name: 'items lost, done twice or wrongly told',
        value: faults.length,
        unit: '',
        bar: '0',
        ok: faults.length === 0,
      },
      { name: 'items uncertain, with their cause', value: uncertain, unit: '', bar: '', ok: true },
      {
        name: 'ready again, median',
        value: median(ready) / 1000,
        unit: 's',
        bar: '≤ 5',
        ok: median(ready) <= 5_000,
      },
      { name: 'ready again, slowest', value: slowest, unit: 's', bar: '≤ 5', ok: slowest <= 5 },
    ]
  } finally {
    await weft.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
