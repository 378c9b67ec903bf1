import { constants, existsSync } from 'node:fs'
import { access, mkdir, statfs, writeFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { clientConfig, type DatabaseAddress } from '../db/connection.ts'
import { isConnectionFailure } from '../db/errors.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { secretsOf } from '../kit/secrets.ts'
import { oneLine, StartError, type Settings } from '../settings.ts'

const MIN_FREE_BYTES = 256 * 1024 * 1024

/** Makes sure that the data folder can be written to and that its disk has room. */
export async function prepareDataFolder(folder: string, minFreeBytes = MIN_FREE_BYTES): Promise<void> {
  await checkDisk(folder, minFreeBytes)
  const probe = join(folder, `.probe-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o711 })
    await access(folder, constants.W_OK)
    await writeFile(probe, 'x')
    await rm(probe)
  } catch (error) {
    throw new StartError(`The data folder ${folder} cannot be written to (WEFT_DATA_DIR).`, { cause: error })
  }
}

/** Looks at the disk before anything is written to it: a full one would fail in some odd place later. */
async function checkDisk(folder: string, minFreeBytes: number): Promise<void> {
  const existing = await nearestExisting(folder)
  const { bavail, bsize } = await statfs(existing)
  if (bavail * bsize >= minFreeBytes) return
  const free = Math.floor((bavail * bsize) / 1024 / 1024)
  const wanted = Math.ceil(minFreeBytes / 1024 / 1024)
  throw new StartError(`The disk of ${folder} is nearly full: ${free} MB are free, ${wanted} MB are needed.`)
}

async function nearestExisting(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) if (at === dirname(at) || existsSync(at)) return at
}

/** A browser that was named and is not there is a wrong setting; without a local agent nobody needs one here. */
export async function checkBrowser({ browser, localAgent }: Settings): Promise<void> {
  if (browser === undefined || !localAgent) return
  try {
    await access(browser, constants.X_OK)
  } catch (error) {
    throw new StartError(`Wrong setting: WEFT_BROWSER: there is no program ${browser}.`, { cause: error })
  }
}

const canaryRow = z.object({ sealed: z.string() })
const CANARY = { table: 'canary', column: 'sealed', row: '1' }

/**
 * Brings the database forward and makes sure that the key is the one its secrets were sealed with: a server with
 * another key would quietly lose them.
 */
export async function prepareDatabase(address: DatabaseAddress, key: Buffer): Promise<string[]> {
  // Migrations may take their time; the limits of ordinary statements are not for them.
  const client = new Client({ ...clientConfig(address), options: '-c timezone=UTC' })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    if (!isConnectionFailure(error) && !(error instanceof Error)) throw error
    const reason = oneLine(error instanceof Error ? error.message : String(error))
    throw new StartError(`The database cannot be reached: ${reason} (DATABASE_URL)`, { cause: error })
  }
  try {
    const applied = await migrate(client, await readMigrations())
    await checkKey(client, key)
    return applied
  } finally {
    await client.end()
  }
}

async function checkKey(client: Client, key: Buffer): Promise<void> {
  const secrets = secretsOf(key)
  await client.query('insert into canary (id, sealed) values (1, $1) on conflict do nothing', [
    secrets.seal('weft', CANARY),
  ])
  const { rows } = await client.query('select sealed from canary where id = 1')
  try {
    secrets.open(canaryRow.parse(rows[0]).sealed, CANARY)
  } catch (error) {
    throw new StartError(
      'The key file does not fit this database: its secrets were sealed with another (WEFT_KEY_FILE).',
      {
        cause: error,
      },
    )
  }
}
