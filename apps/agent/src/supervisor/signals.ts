import type { StopMode } from './supervisor.ts'

/** Turns signals into stops: the first TERM or INT drains, the second cancels in order, the third, or QUIT, ends at once. */
export function obeySignals(stop: (mode: StopMode) => void): void {
  const modes: StopMode[] = ['drain', 'cancel', 'now']
  const next = () => stop(modes.shift() ?? 'now')
  process.on('SIGTERM', next)
  process.on('SIGINT', next)
  process.on('SIGHUP', next)
  if (process.platform === 'win32') process.on('SIGBREAK', () => stop('now'))
  else process.on('SIGQUIT', () => stop('now'))
}
