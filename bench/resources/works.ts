import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { accounts } from '@weft/contract/accounts/api'
import { bulks } from '@weft/contract/bulks/api'
import type { Bulk } from '@weft/contract/bulks/schema'
import { clientOf, type Transport } from '@weft/contract/core/client'
import { imports } from '@weft/contract/imports/api'
import { proxies } from '@weft/contract/proxies/api'
import { median, type BenchRow, type BenchServer } from '../support/server.ts'
import { figure } from './lists.ts'

const BULK = 100_000
const IMPORT = 100_000
const MB = 1024 * 1024

/** Watches how much memory the server takes beyond what it had at the begin. */
function memoryOf(server: BenchServer): { stop(): number } {
  const before = server.rssMb()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, server.rssMb())), 100)
  return {
    stop() {
      clearInterval(timer)
      return most - before
    },
  }
}

async function until<T>(look: () => Promise<T>, over: (now: T) => boolean): Promise<T> {
  for (;;) {
    const now = await look()
    if (over(now)) return now
    await sleep(100)
  }
}

/** What is done to very many. */
const BULKS = {
  edit: { action: 'update', fields: { status: 'paused', notes: 'changed by the bench' } },
  secret: { action: 'update', fields: { password: 'set by the bench' } },
  delete: { action: 'delete' },
} as const

/** Bulks of very many accounts with their histories, and taking them back. */
export async function bulkEdit(transport: Transport): Promise<BenchRow[]> {
  const api = clientOf(transport, accounts)
  const follow = clientOf(transport, bulks)
  const ended = (bulk: Bulk) =>
    until(
      () => follow.get({ id: bulk.id }),
      ({ state }) => state !== 'running',
    )
  const timed = async (work: () => Promise<Bulk>): Promise<{ seconds: number; done: number }> => {
    const begun = performance.now()
    const bulk = await ended(await work())
    return { seconds: (performance.now() - begun) / 1000, done: bulk.done }
  }
  const selection = { query: { createdTo: await cut(transport) } }
  const rows: BenchRow[] = []
  for (const [name, change] of Object.entries(BULKS)) {
    let id = ''
    const done = await timed(async () => {
      const bulk = await api.bulk({ selection, ...change })
      id = bulk.id
      return bulk
    })
    const back = await timed(() => follow.undo({ id }))
    rows.push(
      row(`bulk ${name} of ${done.done} accounts, with history`, done.seconds, 's', 10, done.done === BULK),
      row(`taking it back`, back.seconds, 's', 10, back.done === BULK),
    )
  }
  return rows
}

/** The time before which so many accounts were made. */
async function cut(transport: Transport): Promise<string> {
  const page = await clientOf(transport, accounts).list({
    sortBy: 'createdAt',
    sortDesc: false,
    perPage: 25,
    page: BULK / 25 + 1,
  })
  const first = page.data[0]
  if (!first) throw new Error('there are not enough accounts')
  return first.createdAt
}

function row(name: string, value: number, unit: string, most: number, good = true): BenchRow {
  return { name, value, unit, bar: `≤ ${most}`, ok: good && value <= most }
}

/** An import of very many proxies beside COPY of the same rows, while somebody else goes on calling. */
export async function importRows(
  server: BenchServer,
  pool: Pool,
  transport: Transport,
  other: Transport,
  ownerId: string,
): Promise<BenchRow[]> {
  // Where the database was kept, those of the last time are in the way.
  await pool.query(`delete from proxy where notes = 'imported'`)
  const copied = await copyRate(pool, ownerId)
  const api = clientOf(transport, proxies)
  const follow = clientOf(transport, imports)
  const calls = () => clientOf(other, proxies).list({ perPage: 25 })
  const idle = await timesOf(calls, () => false, 200)
  const lines = ['protocol,host,port,username,password,type,notes']
  for (let n = 0; n < IMPORT; n += 1)
    lines.push(`http,10.${n >> 16}.${(n >> 8) & 255}.${n & 255},8080,user${n},pass${n},datacenter,imported`)
  const memory = memoryOf(server)
  const begun = performance.now()
  let over = false
  const meanwhile = timesOf(calls, () => over, 100_000)
  const checked = await api.import({ format: 'csv', fileName: 'bench.csv' }, { body: lines.join('\n') })
  const seen = [{ at: performance.now(), processed: 0 }]
  await follow.apply({ id: checked.import.id, take: 'all' })
  const done = await until(
    () => follow.get({ id: checked.import.id }),
    ({ state, processed }) => {
      if (processed !== seen.at(-1)?.processed) seen.push({ at: performance.now(), processed })
      return state !== 'running'
    },
  )
  const seconds = (performance.now() - begun) / 1000
  over = true
  const busy = p99(await meanwhile)
  const grown = memory.stop()
  const rate = IMPORT / seconds
  const gaps = seen.slice(1).map(({ at }, n) => at - (seen[n]?.at ?? at))
  return [
    figure(`COPY of ${IMPORT} proxies into the same table`, copied, 'rows/s'),
    figure(`import of ${done.created} proxies, checked and made`, rate, 'rows/s'),
    {
      name: 'its share of COPY',
      value: (rate / copied) * 100,
      unit: '%',
      bar: '≥ 15',
      ok: done.created === IMPORT && rate >= copied * 0.15,
    },
    row('its memory growth', grown, 'MB', 100),
    row('longest time without progress', Math.max(...gaps), 'ms', 1000),
    figure('other calls, p99, idle', p99(idle), 'ms'),
    figure('other calls, p99, meanwhile', busy, 'ms'),
    row('ratio', busy / p99(idle), '×', 2),
  ]
}

/** The same rows by COPY from a file that the database reads itself, into the same table with its indexes, rolled back. */
async function copyRate(pool: Pool, ownerId: string): Promise<number> {
  const client = await pool.connect()
  const file = join(tmpdir(), `weft-copy-${process.pid}`)
  try {
    await client.query(`copy (
      select 'http', '10.' || (n >> 16) || '.' || ((n >> 8) & 255) || '.' || (n & 255), 8080, 'user' || n, 'datacenter',
        'imported', 'import', gen_random_uuid(), '${ownerId}'::uuid
      from generate_series(0, ${IMPORT - 1}) n) to '${file}'`)
    const times: number[] = []
    for (let n = 0; n < 3; n += 1) {
      await client.query('begin')
      const begun = performance.now()
      await client.query(
        `copy proxy (protocol, host, port, username, type, notes, proxy_source, id, owner_id) from '${file}'`,
      )
      times.push((performance.now() - begun) / 1000)
      await client.query('rollback')
    }
    return IMPORT / median(times)
  } finally {
    client.release()
    rmSync(file, { force: true })
  }
}

async function timesOf(call: () => Promise<unknown>, over: () => boolean, most: number): Promise<number[]> {
  const times: number[] = []
  while (!over() && times.length < most) {
    const begun = performance.now()
    await call()
    times.push(performance.now() - begun)
    // A person may call twenty times a second for as long as they like.
    await sleep(55)
  }
  return times
}

const p99 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

/** An export of all accounts in each format: streamed, and read as it comes. */
export async function exportRows(
  server: BenchServer,
  transport: Transport,
  count: number,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  // A server that has only just started takes memory for its own code and young objects, whatever it does first.
  const warm = await clientOf(transport, accounts).export({ format: 'csv', q: 'user12' })
  await warm.arrayBuffer()
  for (const format of ['csv', 'ndjson', 'xlsx'] as const) {
    const memory = memoryOf(server)
    const begun = performance.now()
    const response = await clientOf(transport, accounts).export({ format })
    let bytes = 0
    if (response.body) for await (const chunk of response.body) bytes += chunk.length
    const seconds = (performance.now() - begun) / 1000
    rows.push(
      figure(
        `export of ${count} accounts as ${format}, ${Math.round(bytes / MB)} MB`,
        count / seconds,
        'rows/s',
      ),
      row(`its memory growth, ${format}`, memory.stop(), 'MB', 64, response.ok && bytes > count * 50),
    )
  }
  return rows
}
