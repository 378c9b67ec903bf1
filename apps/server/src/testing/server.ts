import { pino } from 'pino'
import type { BUILT_IN_ROLES, Rule } from '@weft/contract/core/permissions'
import { assemble, type Assembled } from '../assemble.ts'
import type { Feature } from '../kit/feature.ts'
import { readSettings, type Settings } from '../settings.ts'
import { TEST_KEY, testDatabase, testFolder, type TestDatabase } from './cluster.ts'
import { makePerson, stranger, type Stranger, type TestPerson } from './people.ts'

type RoleName = keyof typeof BUILT_IN_ROLES

export interface TestServerOptions {
  now?: () => Date
  settings?: Partial<Settings>
  addressRate?: { burst: number; perSecond: number }
  /** A second server of the same installation: its database. */
  database?: TestDatabase
  /** The port to listen on, where it must be known before; else a free one. */
  port?: number
  /** A built console to serve. */
  consoleFolder?: string
  /** Features besides the product's own. */
  more?: readonly Feature[]
}

/** A real server on a fresh database, listening on a free port. */
export interface TestServer extends Assembled {
  url: string
  database: TestDatabase
  /** A signed-in person with a built-in role; the same one for the same name. */
  as(role: RoleName, username?: string): Promise<TestPerson>
  /** A signed-in person with rules of their own. */
  withRules(username: string, rules: readonly Rule[]): Promise<TestPerson>
  anonymous: Stranger
}

/** Starts a server for a test file; `await using` or `stop()` ends it and drops its database. */
export async function startTestServer(
  options: TestServerOptions = {},
): Promise<TestServer & AsyncDisposable> {
  const database = options.database ?? (await testDatabase())
  const folder = await testFolder()
  const settings = {
    ...readSettings({ WEFT_DATA_DIR: folder.path, WEFT_LOCAL_AGENT: '0', WEFT_PRACTICE_PORT: '0' }),
    ...options.settings,
  }
  const server = await assemble({
    settings,
    version: '0.0.0-test',
    log: pino({ level: process.env['WEFT_TEST_LOG'] ?? 'silent' }),
    address: () => database.address,
    key: TEST_KEY,
    // Everybody in a test comes from one address.
    addressRate: options.addressRate ?? { burst: 10_000, perSecond: 10_000 },
    ...(options.now ? { now: options.now } : {}),
    ...(options.consoleFolder === undefined ? {} : { consoleFolder: options.consoleFolder }),
    ...(options.more ? { more: options.more } : {}),
  })
  await server.start()
  const url = await server.app.listen({ port: options.port ?? 0, host: '127.0.0.1' })
  const people = new Map<string, Promise<TestPerson>>()
  const person = (username: string, role: RoleName | readonly Rule[]) => {
    const made = people.get(username) ?? makePerson(server.deps, url, { username, role })
    people.set(username, made)
    return made
  }
  const stop = async () => {
    await server.stop()
    if (!options.database) await database.drop()
    await folder.remove()
  }
  return {
    ...server,
    url,
    database,
    as: (role, username = role) => person(username, role),
    withRules: (username, rules) => person(username, rules),
    anonymous: stranger(url),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
