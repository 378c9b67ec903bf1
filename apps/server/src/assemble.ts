import { mkdir } from 'node:fs/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { openPool, type DatabaseAddress } from './db/connection.ts'
import { gateOf } from './db/gate.ts'
import { Listener } from './db/listener.ts'
import { botCheckOf } from './features/access/bot-check/check.ts'
import { ensureBuiltInRoles } from './features/access/first-administrator.ts'
import { HeldIdentities, IDENTITY_CHANNEL } from './features/access/identities.ts'
import { allFeatures } from './features/index.ts'
import { HeldSettings, SETTINGS_CHANNEL } from './features/system/settings.ts'
import type { Deps } from './kit/deps.ts'
import type { Feature } from './kit/feature.ts'
import { AddressLimit, RateLimit } from './kit/rate.ts'
import { secretsOf } from './kit/secrets.ts'
import { jobQueue } from './plugins/boss.ts'
import { keepHouse } from './plugins/housekeeping.ts'
import { livePages } from './plugins/live.ts'
import { Publisher } from './plugins/publisher.ts'
import type { Settings } from './settings.ts'

export interface AssembleOptions {
  settings: Settings
  version: string
  log: FastifyBaseLogger
  /** Where the migrated database is; asked again after each broken connection. */
  address: () => DatabaseAddress
  key: Buffer
  now?: () => Date
  /** How often the unknown may call from one address, where it is not the product's own figure. */
  addressRate?: { burst: number; perSecond: number }
  consoleFolder?: string
  /** Features besides the product's own, for tests of the kit. */
  more?: readonly Feature[]
}

/** A server put together and not yet listening. */
export interface Assembled {
  app: FastifyInstance
  deps: Deps
  /** Begins what runs beside the calls: queue, events, features' own work. */
  start(): Promise<void>
  /** Ends everything in order: no new calls, then the work under way, then the connections. */
  stop(): Promise<void>
}

const POOL_MAX = 24
const CALLS_GRACE_MS = 3_000
const JOBS_GRACE_MS = 3_000

/** Puts the server together from its settings and a migrated database, the same for production and for tests. */
export async function assemble(options: AssembleOptions): Promise<Assembled> {
  const { settings, log } = options
  const now = options.now ?? (() => new Date())
  await mkdir(settings.dataDir, { recursive: true })
  const { pool, db } = openPool(options.address(), {
    max: POOL_MAX,
    onBroken: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  const identities = new HeldIdentities(db, now)
  const systemSettings = new HeldSettings(db, now)
  const notices = new Listener(options.address, log)
  const jobs = jobQueue({ pool, log, roles: settings.roles })
  const publisher = new Publisher(db, log)
  const secrets = secretsOf(options.key)
  const deps: Deps = {
    settings,
    version: options.version,
    db,
    pool,
    gate: gateOf(pool),
    log,
    secrets,
    identities,
    botCheck: botCheckOf({
      db,
      secrets,
      system: systemSettings,
      publicUrl: settings.publicUrl,
    }),
    rate: new RateLimit(),
    addressRate: new AddressLimit(options.addressRate),
    authenticateAgent: () => Promise.resolve(null),
    system: systemSettings,
    notices,
    jobs,
    live: {
      wake: () => publisher.wake(),
      progress: (entry) => publisher.progress(entry),
      runLog: (message) => pages.runLog(message),
      testRun: (userId, message) => pages.testRun(userId, message),
    },
    now,
  }
  const features = [...allFeatures({ settings: systemSettings }), ...(options.more ?? [])]
  const pages = livePages({ deps, features, publisher, identities })
  const app = await buildApp({
    deps,
    features,
    mountHub: (to) => pages.mount(to),
    ...(options.consoleFolder === undefined ? {} : { consoleFolder: options.consoleFolder }),
  })
  const ends: (() => Promise<void>)[] = []

  return {
    app,
    deps,
    async start() {
      await ensureBuiltInRoles(db)
      await notices.listen(IDENTITY_CHANNEL, () => identities.forget())
      await notices.listen(SETTINGS_CHANNEL, () => systemSettings.forget())
      await jobs.start()
      await pages.start()
      for (const feature of features) {
        const end = await feature.start?.(deps)
        if (end) ends.unshift(end)
      }
      if (settings.roles.has('scheduler')) ends.unshift(keepHouse(deps))
    },
    async stop() {
      await pages.hub.drain()
      await close(app)
      for (const end of ends) await end()
      await jobs.stop(JOBS_GRACE_MS)
      await pages.stop()
      await notices.stop()
      await pool.end()
    },
  }
}

/** Takes no more calls, lets those under way end, and after a while cuts off what still hangs on. */
async function close(app: FastifyInstance): Promise<void> {
  const limit = setTimeout(() => app.server.closeAllConnections(), CALLS_GRACE_MS)
  await app.close()
  clearTimeout(limit)
}
