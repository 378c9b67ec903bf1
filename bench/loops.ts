import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogLine } from '@weft/contract/runs/schema'
import { encodeDocument } from '@weft/workflow/state-codec'
import { sketch } from '@weft/workflow/testing/builder'
import { until, Weft } from '../e2e/support/weft.ts'
import { median, report, type BenchRow } from './support/server.ts'

const PASSES = 10_000
const MARK_EVERY = 1_000
const SAMPLE_MS = 250
const MARK = /^pass (\d+)$/

type Api = Awaited<ReturnType<Weft['setUp']>>

/** Reads a heading in a real page and adds up, ten thousand times; every thousandth time it says so in the log. */
function loopWorkflow(siteUrl: string) {
  const rows = Array.from({ length: PASSES }, (_, index) => index + 1)
  const document = sketch(
    [
      { id: 'open', type: 'open-page', state: { url: siteUrl } },
      {
        id: 'loop',
        type: 'for-each',
        state: { items: 'inputs.rows' },
        bodies: {
          body: [
            {
              id: 'read',
              type: 'extract',
              state: { what: 'text', targets: [{ by: 'css', selector: 'h1' }] },
            },
            {
              id: 'add',
              type: 'set-variable',
              state: { name: 'total', value: '{{ vars.total + loop.value }}' },
            },
            {
              id: 'mark',
              type: 'condition',
              state: { condition: `loop.value % ${MARK_EVERY} == 0` },
              bodies: { true: [{ id: 'say', type: 'log', state: { message: 'pass {{ loop.value }}' } }] },
            },
          ],
        },
      },
      { id: 'end', type: 'finish', state: { outputs: [{ name: 'total', value: '{{ vars.total }}' }] } },
    ],
    {
      inputs: [{ name: 'rows', type: 'list', required: false, default: rows }],
      variables: [{ name: 'total', type: 'number', default: 0 }],
      settings: { timeLimitSeconds: 3600, maxAttempts: 1, traceOn: 'never' },
    },
  )
  return { ...encodeDocument(document) }
}

/** Starts the loop on the local agent and gives its run. */
async function startLoop(weft: Weft, api: Api): Promise<string> {
  const client = await until('the local client', async () =>
    (await api.clients.list({})).data.find(({ connection }) => connection === 'online'),
  )
  const account = await api.accounts.create({
    type: 'website',
    username: 'loop',
    allowedDomains: [new URL(weft.practiceUrl).host],
  })
  const workflow = await api.workflows.create({ name: 'Loop', draft: loopWorkflow(weft.practiceUrl) })
  await api.workflows.publish({ id: workflow.id, version: workflow.version })
  const campaign = await api.campaigns.create({
    title: 'Loop',
    workflowId: workflow.id,
    pairing: { per: 'account', profile: 'none', proxy: 'none' },
  })
  await api.campaigns.addAccounts({ campaignId: campaign.id, selection: { ids: [account.id] } })
  await api.campaigns.addClients({ campaignId: campaign.id, selection: { ids: [client.id] } })
  await api.campaigns.start({ id: campaign.id })
  const begun = await until(
    'the run',
    async () =>
      (await api.runs.list({ campaignId: campaign.id })).data.find(({ cycle }) => cycle === 'running'),
    60_000,
  )
  return begun.id
}

/** The process that does the run: the child of the agent that was started for its slot. */
function executorOf(weft: Weft): number {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8')
      if (!command.includes(join('executor', 'main.ts'))) continue
      if (readFileSync(`/proc/${entry}/environ`, 'utf8').includes(weft.dataDir)) return Number(entry)
    } catch {
      // It has ended meanwhile, or is somebody else's.
    }
  }
  throw new Error('no executor is at work')
}

/** What a process holds and has used so far. */
function usageOf(pid: number): { mb: number; cpuMs: number } {
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return { mb: Number(resident ?? 0) / 1024, cpuMs: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10 }
}

interface Sample {
  at: number
  mb: number
  cpuMs: number
}

/** Memory and processor time while the run is at work. */
async function watch(api: Api, runId: string, pid: number): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let round = 0; ; round += 1) {
    if (round % 8 === 0 && (await api.runs.get({ id: runId })).cycle === 'finished') return samples
    samples.push({ at: Date.now(), ...usageOf(pid) })
    await sleep(SAMPLE_MS)
  }
}

async function marksOf(api: Api, runId: string): Promise<{ pass: number; at: number }[]> {
  const lines: LogLine[] = []
  for (let offset = 0; ;) {
    const part = await api.runs.log({ id: runId, offset })
    lines.push(...part.lines)
    if (part.next >= part.size) break
    offset = part.next
  }
  return lines.flatMap(({ text, at }) => {
    const pass = MARK.exec(text)?.[1]
    return pass === undefined ? [] : [{ pass: Number(pass), at: Date.parse(at) }]
  })
}

/** A loop of ten thousand passes with a real page: does it become slower, does it fill memory? */
export async function run(): Promise<BenchRow[]> {
  const weft = await Weft.start({ WEFT_SLOTS: '1' })
  try {
    const api = await weft.setUp()
    const runId = await startLoop(weft, api)
    const samples = await watch(api, runId, executorOf(weft))
    const done = await api.runs.get({ id: runId })
    if (done.result !== 'succeeded') throw new Error(`the loop ended as ${done.result}`)
    const marks = await marksOf(api, runId)
    const at = (pass: number) => marks.find((mark) => mark.pass === pass)?.at ?? Number.NaN
    const thousand = (to: number) => {
      const [begun, ended] = [at(to - MARK_EVERY), at(to)]
      const within = samples.filter((sample) => sample.at >= begun && sample.at <= ended)
      return {
        ms: (ended - begun) / MARK_EVERY,
        cpuMs: ((within.at(-1)?.cpuMs ?? Number.NaN) - (within[0]?.cpuMs ?? Number.NaN)) / MARK_EVERY,
        mb: median(within.map(({ mb }) => mb)),
      }
    }
    // The first thousand also starts the browser and warms what is compiled.
    const [early, last] = [thousand(2 * MARK_EVERY), thousand(PASSES)]
    const slower = last.ms / early.ms
    const growth = last.mb - early.mb
    const figure = (name: string, value: number, unit: string) => ({ name, value, unit, bar: '', ok: true })
    return [
      figure('a pass of the second thousand', early.ms, 'ms'),
      figure('a pass of the last thousand', last.ms, 'ms'),
      figure('processor time of a pass, second thousand', early.cpuMs, 'ms'),
      figure('processor time of a pass, last thousand', last.cpuMs, 'ms'),
      {
        name: 'the last thousand beside the second',
        value: slower,
        unit: '×',
        bar: '≤ 1.1',
        ok: slower <= 1.1,
      },
      { name: 'memory of the executor grows by', value: growth, unit: 'MB', bar: '≤ 20', ok: growth <= 20 },
    ]
  } finally {
    await weft.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
