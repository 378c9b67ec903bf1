import type { Transport } from '@weft/contract/core/client'
import { BenchServer, report, type BenchRow } from './support/server.ts'
import { makeAccounts, makePeople } from './resources/estate.ts'
import { lists } from './resources/lists.ts'
import { bulkEdit, exportRows, importRows } from './resources/works.ts'

const ACCOUNTS = 1_000_000

/** Lists, searches, bulk edits, imports and exports of very many records, beside plain SQL in the same database. */
export async function run(): Promise<BenchRow[]> {
  const server = await BenchServer.start()
  const pool = server.pool(1)
  try {
    const { userId, transport } = await server.signIn()
    const tokens = await makePeople(pool, userId, 400)
    await makeAccounts(pool, userId, ACCOUNTS)
    const other: Transport = {
      baseUrl: server.url,
      headers: () => ({ authorization: `Bearer ${tokens.at(-1) ?? ''}` }),
    }
    return [
      ...(await lists(server, tokens.slice(0, -1), ACCOUNTS)),
      ...(await bulkEdit(transport)),
      ...(await importRows(server, pool, transport, other, userId)),
      ...(await exportRows(server, transport, ACCOUNTS)),
    ]
  } finally {
    await pool.end()
    await server.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
