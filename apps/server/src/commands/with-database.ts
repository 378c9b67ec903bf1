import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepareDatabase } from '../boot/prepare.ts'
import type { DatabaseAddress } from '../db/connection.ts'
import { Cluster } from '../db/embedded/cluster.ts'
import { addressOf, isPostgresOn, readLock, stopProcess, waitUntilReady } from '../db/embedded/postmaster.ts'
import { DATABASE } from '../db/embedded/supervisor.ts'
import { readKeyFile } from '../kit/secrets.ts'
import { StartError, type Settings } from '../settings.ts'

/**
 * Does some work with the installation's database: the one that was named, the one of the server that runs, or, while
 * none runs, our own, started for this and stopped again.
 */
export async function withDatabase(
  settings: Settings,
  work: (address: DatabaseAddress) => Promise<void>,
): Promise<void> {
  if (settings.databaseUrl !== undefined) return work({ url: settings.databaseUrl })
  const folder = join(settings.dataDir, 'postgres')
  if (!existsSync(join(folder, 'PG_VERSION')))
    throw new StartError(`There is no installation in ${settings.dataDir} (WEFT_DATA_DIR).`)
  const lock = await readLock(folder)
  if (lock && (await isPostgresOn(lock.pid, folder)) && (await waitUntilReady(lock, 5_000, () => false)))
    return work(addressOf(lock, DATABASE))
  const cluster = await Cluster.at(settings.dataDir)
  const own = await cluster.run()
  try {
    const address = addressOf(own, DATABASE)
    // The program may be newer than the last server that ran here.
    await prepareDatabase(address, await readKeyFile(settings.keyFile))
    await work(address)
  } finally {
    await stopProcess(own.pid)
    await cluster.tidy()
  }
}
