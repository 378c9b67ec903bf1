import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import type { BenchRow, BenchServer } from '../support/server.ts'
import { loadResult, type LoadResult } from './load.ts'

const LIST = '/api-resources/api/v1/resource/account/list'
const SECONDS = 6

interface Load {
  port: number
  paths: string[]
  tokens: string[]
  connections: number
  seconds?: number
}

/** Has a crowd of its own process ask, and gives what it saw. */
export async function load(given: Load): Promise<LoadResult> {
  const crowd = fork(join(import.meta.dirname, 'load.ts'))
  try {
    const answer = once(crowd, 'message')
    crowd.send({ seconds: SECONDS, ...given })
    const [result] = await answer
    return loadResult.parse(result)
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
      const plain = await load({ port: bare.port, tokens: [], paths: ['/accounts'], connections })
      const list = await load({ ...ours, paths: [`${LIST}?perPage=25`], connections })
      const share = (list.perSecond / plain.perSecond) * 100
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
