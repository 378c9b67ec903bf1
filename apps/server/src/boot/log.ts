import { pino, type DestinationStream, type Logger } from 'pino'
import type { Settings } from '../settings.ts'

/** The process's log: one JSON line per entry on stderr, without secrets. */
export function openLog(
  { logLevel }: Pick<Settings, 'logLevel'>,
  out: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger {
  return pino(
    {
      level: logLevel,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'authorization',
          'cookie',
          'password',
          'token',
          '*.authorization',
          '*.cookie',
          '*.password',
          '*.token',
          '*.secret',
          'err.params',
          'err.query',
        ],
        censor: '•••',
      },
      serializers: {
        // Query strings carry tokens and search words; they are never logged.
        req: (request: { method: string; url: string; id: string }) => ({
          id: request.id,
          method: request.method,
          path: request.url.split('?', 1)[0],
        }),
        res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
        err: describeError,
      },
    },
    out,
  )
}

/** An error for the log: its chain of causes, without the parameters of a failed statement. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return isObject(error) ? { ...error } : { message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  const text = message.replace(/\nparams: [\s\S]*$/, '')
  return {
    name,
    ...code,
    message: text,
    stack: stack?.replace(message, text),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
