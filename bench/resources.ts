import type { Transport } from '@weft/contract/core/client'
import { BenchServer, report, type BenchRow } from './support/server.ts'
import { hasAccounts, makeAccounts, makePeople } from './resources/estate.ts'
import { lists } from './resources/lists.ts'
import { bulkEdit, exportRows, importRows } from './resources/works.ts'

const ACCOUNTS = 1_000_000

/** The parts, in the order in which they are measured. */
const PARTS = ['lists', 'bulk', 'import', 'export'] as const

/**
 * Lists, searches, bulk edits, imports and exports of very many records, beside plain SQL in the same database; all of it, or
 * some parts. With a folder in BENCH_DIR the loaded database stays there for the next time, as these parts leave it.
 */
export async function run(parts: readonly string[] = []): Promise<BenchRow[]> {
  const unknown = parts.find((part) => !PARTS.some((one) => one === part))
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}, only ${PARTS.join(', ')}`)
  const server = await BenchServer.start(process.env['BENCH_DIR'])
  const pool = server.pool(1)
  try {
    const { userId, transport } = await server.signIn()
    const tokens = await makePeople(pool, userId, 400)
    if (!(await hasAccounts(pool))) await makeAccounts(pool, userId, ACCOUNTS)
    const other: Transport = {
      baseUrl: server.url,
      headers: () => ({ authorization: `Bearer ${tokens.at(-1) ?? ''}` }),
    }
    const measure: Record<(typeof PARTS)[number], () => Promise<BenchRow[]>> = {
      lists: () => lists(server, tokens.slice(0, -1), ACCOUNTS),
      bulk: () => bulkEdit(transport),
      import: () => importRows(server, pool, transport, other, userId),
      export: () => exportRows(server, transport, ACCOUNTS),
    }
    const rows: BenchRow[] = []
    for (const part of PARTS)
      if (parts.length === 0 || parts.includes(part)) rows.push(...(await measure[part]()))
    return rows
  } finally {
    await pool.end()
    await server.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run(process.argv.slice(2))) ? 0 : 1
