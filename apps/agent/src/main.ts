import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beginInstance } from './connection/session.ts'
import { joinOnce } from './connection/join.ts'
import { AgentExit, EXIT, type ExitCode } from './exit-codes.ts'
import { createLogger, describeError } from './log.ts'
import { findBrowsers } from './machine/browsers.ts'
import { fingerprint } from './machine/state.ts'
import { HELP, readSettings, type Settings } from './settings.ts'
import { lockDataDir } from './supervisor/lock.ts'
import { loadPolicy } from './supervisor/policy.ts'
import { endOrphans } from './supervisor/process-tree.ts'
import { obeySignals } from './supervisor/signals.ts'
import { Supervisor, type StopMode } from './supervisor/supervisor.ts'

/** Runs the agent until it is stopped. */
async function run(settings: Settings): Promise<ExitCode> {
  const { dataDir, slots } = settings
  const logger = createLogger(settings.logLevel)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockDataDir(dataDir)
  const joining = new AbortController()
  let stop: (mode: StopMode) => void = () =>
    joining.abort(new AgentExit(EXIT.ok, 'Stopped before it was connected.'))
  obeySignals((mode) => stop(mode))
  try {
    const orphans = endOrphans(dataDir)
    if (orphans > 0)
      logger.warn('Processes that an earlier start left behind were ended.', { count: orphans })
    // Browser folders of earlier runs; nothing in them is needed again.
    rmSync(join(dataDir, 'tmp'), { recursive: true, force: true })
    const policy = await loadPolicy(dataDir)
    const browsers = await findBrowsers(settings.browser)
    if (browsers.length === 0)
      logger.error('No browser was found: install Chromium, Chrome or Edge, or name one with --browser.')
    const { server, joinCode, name, labels } = settings
    const { signal } = joining
    const identity = await joinOnce({
      dataDir,
      server,
      joinCode,
      name,
      slots,
      labels,
      browsers,
      logger,
      signal,
    })
    const supervisor = new Supervisor({
      identity,
      instance: await beginInstance(dataDir),
      machineId: await fingerprint(dataDir),
      dataDir,
      slots,
      browsers,
      policy,
      logger,
      opening: signal,
    })
    const started = supervisor.start()
    const outcome = await Promise.race([started.then(() => null), supervisor.ended])
    stop = (mode) => supervisor.stop(mode)
    return outcome ?? (await supervisor.ended)
  } finally {
    lock.release()
  }
}

try {
  const settings = readSettings(process.argv.slice(2), process.env)
  if (settings === 'help') console.log(HELP)
  else process.exit(await run(settings))
} catch (error) {
  const exit = error instanceof AgentExit ? error : undefined
  if (exit?.exitCode !== EXIT.ok) console.error(exit ? exit.message : describeError(error))
  process.exit(exit?.exitCode ?? EXIT.failed)
}
