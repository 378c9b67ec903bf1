import type { Logger } from 'pino'
import { StartError } from '../settings.ts'

const LIMIT_MS = 10_000

/** Ends the process: why, with which code, and the error that one clear line is printed of. */
export type Stop = (reason: string, code: number, error?: unknown) => Promise<void>

/**
 * Ends the process in good order, on a signal or when asked: each of `ends` in turn, newest first, within ten seconds.
 * What a start under way still adds meanwhile is ended too. A second signal ends the process at once.
 */
export function stopOnSignal(log: Logger, ends: (() => Promise<void>)[]): Stop {
  let stopping = false

  const stop: Stop = async (reason, code, error) => {
    if (stopping) return
    stopping = true
    if (error instanceof StartError) console.error(error.message)
    else if (error !== undefined) log.fatal({ err: error }, reason)
    const limit = setTimeout(() => {
      log.error('stopping took too long')
      process.exit(1)
    }, LIMIT_MS)
    for (let end = ends.shift(); end; end = ends.shift()) {
      try {
        await end()
      } catch (failure) {
        log.error({ err: failure }, 'something did not end well')
      }
    }
    clearTimeout(limit)
    log.flush(() => process.exit(code))
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1)
      log.info({ signal }, 'stopping')
      void stop(signal, 0)
    })
  process.on('uncaughtException', (error) => void stop('an unexpected error', 1, error))
  process.on('unhandledRejection', (error) => void stop('an unexpected error', 1, error))
  return stop
}
