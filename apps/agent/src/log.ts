/** How much the agent tells. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
/** How much the agent tells. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The agent's own log: one JSON object a line, never with values of runs in it. */
export interface Logger {
  debug(text: string, fields?: object): void
  info(text: string, fields?: object): void
  warn(text: string, fields?: object): void
  error(text: string, fields?: object): void
}

/** A logger that writes lines of at least this level. */
export function createLogger(
  level: LogLevel,
  write: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
): Logger {
  const from = LOG_LEVELS.indexOf(level)
  const at = (name: LogLevel) => (text: string, fields?: object) => {
    if (LOG_LEVELS.indexOf(name) < from) return
    write(JSON.stringify({ at: new Date().toISOString(), level: name, text, ...fields }))
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** What went wrong, short enough for a log line. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
