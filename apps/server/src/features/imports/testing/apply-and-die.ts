import { pino } from 'pino'
import { z } from 'zod'
import { assemble } from '../../../assemble.ts'
import type { Tx } from '../../../kit/context.ts'
import { readSettings } from '../../../settings.ts'
import { runImport } from '../run.ts'

/*
 * A worker that is killed in the middle of an import: `node apply-and-die.ts {address, key, folder, importId, batch}` applies
 * batches until it stands just before the commit of the one named, and kills itself as `kill -9` does.
 */

const given = z
  .object({
    address: z.record(z.string(), z.union([z.string(), z.number()])),
    key: z.string(),
    folder: z.string(),
    importId: z.string(),
    batch: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''))

const { deps } = await assemble({
  settings: readSettings({ WEFT_DATA_DIR: given.folder, WEFT_ROLES: 'web' }),
  version: '0.0.0-test',
  log: pino({ level: 'silent' }),
  address: () => given.address,
  key: Buffer.from(given.key, 'hex'),
})

const { db } = deps
let batches = 0
const transaction: Tx['transaction'] = (work, config) =>
  db.transaction(async (tx) => {
    const result = await work(tx)
    batches += 1
    if (batches === given.batch) process.kill(process.pid, 'SIGKILL')
    return result
  }, config)
deps.db = Object.assign(Object.create(db), { transaction })

await runImport(deps, given.importId, AbortSignal.timeout(60_000))
process.exit(1)
