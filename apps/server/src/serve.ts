import { readFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import { assemble } from './assemble.ts'
import { checkCompanions, startCompanions } from './boot/companions.ts'
import { giveBackMemory } from './boot/give-back.ts'
import { openLog } from './boot/log.ts'
import { checkBrowser, prepareDatabase, prepareDataFolder } from './boot/prepare.ts'
import { asStartError, checkPort, portError } from './boot/start-errors.ts'
import { stopOnSignal } from './boot/stop.ts'
import { Cluster } from './db/embedded/cluster.ts'
import { Supervisor } from './db/embedded/supervisor.ts'
import {
  administratorFromSettings,
  needsSetUp,
  renewSetupToken,
} from './features/access/first-administrator.ts'
import { readKeyFile } from './kit/secrets.ts'
import { StartError, type Settings } from './settings.ts'

/** Starts the server: folder, key, database, application, port, companions, in this order. */
export async function serve(settings: Settings): Promise<void> {
  const log = openLog(settings)
  const ends: (() => Promise<void>)[] = []
  const stop = stopOnSignal(log, ends)
  await checkPort(settings)
  await prepareDataFolder(settings.dataDir)
  await checkBrowser(settings)
  await checkCompanions(settings)
  const key = await readKeyFile(settings.keyFile)
  try {
    const supervising = settings.databaseUrl === undefined ? supervise(settings, log) : undefined
    // Registered before it is up: a stop in between must not leave a Postgres behind.
    if (supervising)
      ends.unshift(async () => {
        const up = await supervising.catch(() => undefined)
        await up?.stop()
      })
    const supervisor = await supervising
    const address = () => supervisor?.address ?? { url: settings.databaseUrl }
    const applied = await prepareDatabase(address(), key)
    if (applied.length > 0) log.info({ applied }, 'the database was brought forward')
    const server = await assemble({ settings, version: await readVersion(), log, address, key })
    ends.unshift(() => server.stop())
    await server.start()
    // Before the door opens: whoever finds the server ready can sign in.
    if (settings.administrator) await administratorFromSettings(server.deps.db, settings.administrator)
    await listen(server.app, settings)
    const signIn = await signInLine(server.deps.db, settings)
    const companions = startCompanions(server.deps)
    ends.unshift(() => companions.stop())
    console.log(`WEFT is ready: ${settings.publicUrl}\n${signIn}`)
    flushCompileCache()
    giveBackMemory()
  } catch (failure) {
    const error = asStartError(failure)
    await stop(error instanceof StartError ? 'the start failed' : 'an unexpected error', 1, error)
  }
}

async function supervise(settings: Settings, log: Logger): Promise<Supervisor> {
  return Supervisor.start(await Cluster.at(settings.dataDir), log)
}

async function listen(
  app: { listen(at: { port: number; host: string }): Promise<string> },
  { port, host }: Settings,
): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    throw portError(error, host, port, 'set WEFT_PORT to another')
  }
}

/** How to get in: the one-time link while nobody is an administrator, else the sign-in page. */
async function signInLine(db: Parameters<typeof needsSetUp>[0], settings: Settings): Promise<string> {
  if (!(await needsSetUp(db))) return `Sign in: ${settings.publicUrl}/login`
  const token = await renewSetupToken(db)
  return `Make the first administrator with this link, good once: ${settings.publicUrl}/auth/set-up?token=${token}`
}

async function readVersion(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}
