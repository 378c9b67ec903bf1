import { BenchServer, report, type BenchRow } from './support/server.ts'
import { makeAccounts, makePeople } from './resources/estate.ts'
import { lists } from './resources/lists.ts'

const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 1_000_000)

/** Lists, searches, imports, exports and bulk edits of very many records, beside plain SQL in the same database. */
export async function run(): Promise<BenchRow[]> {
  const server = await BenchServer.start()
  const pool = server.pool(2)
  try {
    const { userId } = await server.signIn()
    const tokens = await makePeople(pool, userId, 400)
    await makeAccounts(pool, userId, ACCOUNTS)
    return [...(await lists(server, tokens, ACCOUNTS))]
  } finally {
    await pool.end()
    await server.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
