import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import { median, type BenchRow, type BenchServer } from '../support/server.ts'
import { loadResult, type LoadResult } from './load-result.ts'

const LIST = '/api-resources/api/v1/resource/account/list'
const SECONDS = 4
const ROUNDS = 7

interface Load {
  port: number
  paths: string[]
  tokens: string[]
  connections: number
  seconds?: number
}

/** One person may call so often at once; then it is the next one’s turn. */
const EACH = 400
/** Who of the people calls next. */
let turn = 0

/** Has a crowd of its own process ask, and gives what it saw. */
export async function load(given: Load): Promise<LoadResult> {
  const crowd = fork(join(import.meta.dirname, 'load.ts'))
  try {
    const answer = once(crowd, 'message')
    const { tokens, seconds = SECONDS } = given
    const fresh = [...tokens.slice(turn), ...tokens.slice(0, turn)]
    crowd.send({ ...given, seconds, tokens: fresh, each: EACH })
    const [result] = await answer
    const seen = loadResult.parse(result)
    if (tokens.length > 0) turn = (turn + Math.ceil((seen.perSecond * seconds) / EACH)) % tokens.length
    return seen
  } finally {
    crowd.kill()
  }
}

async function bareServer(server: BenchServer): Promise<{ port: number; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, 'bare.ts'), [join(server.dataDir, 'run')])
  const [port] = await once(child, 'message')
  return { port: z.number().parse(port), child }
}

/** The list of accounts beside a bare route, then its searches and its far pages. */
export async function lists(server: BenchServer, tokens: string[], count: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  const ours = { port: server.port, tokens }
  const bare = await bareServer(server)
  try {
    await load({ ...ours, paths: [`${LIST}?perPage=25`], connections: 16, seconds: 3 })
    await load({ port: bare.port, tokens: [], paths: ['/accounts'], connections: 16, seconds: 2 })
    for (const connections of [16, 64]) {
      // In turns, so that what else this machine does falls on both.
      const rounds: { plain: LoadResult; list: LoadResult }[] = []
      for (let n = 0; n < ROUNDS; n += 1)
        rounds.push({
          plain: await load({ port: bare.port, tokens: [], paths: ['/accounts'], connections, seconds: 2 }),
          list: await load({ ...ours, paths: [`${LIST}?perPage=25`], connections, seconds: 2 }),
        })
      const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
      const plain = { perSecond: middle((round) => round.plain.perSecond), failures: 0 }
      const list = {
        perSecond: middle((round) => round.list.perSecond),
        p99: middle((round) => round.list.p99),
        failures: rounds.reduce((sum, round) => sum + round.list.failures + round.plain.failures, 0),
      }
      const share = middle((round) => (round.list.perSecond / round.plain.perSecond) * 100)
      const at = `${connections} connections`
      const good = list.failures === 0 && plain.failures === 0
      rows.push(
        figure(`a bare route, ${at}`, plain.perSecond, '/s'),
        figure(`the list of ${count} accounts with its total, ${at}`, list.perSecond, '/s'),
        { name: `its share, ${at}`, value: share, unit: '%', bar: '≥ 50', ok: good && share >= 50 },
        connections === 16
          ? { name: `its p99, ${at}`, value: list.p99, unit: 'ms', bar: '≤ 50', ok: list.p99 <= 50 }
          : figure(`its p99, ${at}`, list.p99, 'ms'),
      )
    }
  } finally {
    bare.child.kill()
  }
  const words = ['user1', '99999', 'channel', 'example.org', 'user777', 'a1b', 'nobody at all', 'abcdef']
  for (const [name, paths, bar] of [
    ['q', words.map((q) => `${LIST}?perPage=25&q=${encodeURIComponent(q)}`), 150],
    [
      'q with a filter',
      words.map((q) => `${LIST}?perPage=25&accountStatus=ready&q=${encodeURIComponent(q)}`),
      150,
    ],
    ['a filter', ['ready', 'paused', 'new,limited'].map((s) => `${LIST}?perPage=25&accountStatus=${s}`), 150],
    ['page 20,000', [`${LIST}?perPage=25&page=20000`, `${LIST}?perPage=25&page=19999`], 150],
    [
      'a page sorted by name',
      [`${LIST}?perPage=25&sortBy=username`, `${LIST}?perPage=25&sortBy=lastUsedAt&sortDesc=true`],
      150,
    ],
  ] as const) {
    await load({ ...ours, paths: [...paths], connections: 1, seconds: 1 })
    const seen = await load({ ...ours, paths: [...paths], connections: 2 })
    const ok = seen.failures === 0 && seen.p99 <= bar
    rows.push({ name: `${name}: p99`, value: seen.p99, unit: 'ms', bar: `≤ ${bar}`, ok })
  }
  return rows
}

/** A figure without a bar. */
export function figure(name: string, value: number, unit: string): BenchRow {
  return { name, value, unit, bar: '', ok: true }
}
