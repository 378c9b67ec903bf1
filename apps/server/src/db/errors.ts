import { z } from 'zod'

/** The queue passes errors on as plain copies, so it is the shape that counts. */
const shape = z.object({
  message: z.string(),
  code: z.string().optional(),
  syscall: z.string().optional(),
  constraint: z.string().optional(),
  detail: z.string().optional(),
  cause: z.unknown().optional(),
})

/** What Postgres or the driver said, wherever in the chain of causes it stands. */
export type DatabaseFailure = Omit<z.infer<typeof shape>, 'cause'>

const DRIVER_MESSAGES = /^Connection terminated|^Client has encountered|timeout exceeded when trying/

/** Finds the database's own error inside what was thrown; undefined where there is none. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  for (let at = error; at !== undefined;) {
    const parsed = shape.safeParse(at)
    if (!parsed.success) return undefined
    const { cause, ...failure } = parsed.data
    // What comes after this is a call to elsewhere, however much its codes look like ours.
    if (failure.message === 'fetch failed') return undefined
    if (failure.code !== undefined || DRIVER_MESSAGES.test(failure.message)) return failure
    at = cause
  }
  return undefined
}

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'])
const SHUTTING_DOWN = new Set(['57P01', '57P02', '57P03'])

/** Whether the database could not be reached or went away; the work may be tried again if it was not committing. */
export function isConnectionFailure(error: unknown): boolean {
  const failure = databaseFailure(error)
  if (!failure) return false
  const { code, syscall } = failure
  if (code === undefined) return true
  // The same codes come from files; those are opened, not connected to.
  if (NETWORK.has(code)) return code === 'ENOENT' ? syscall === 'connect' : syscall !== undefined
  return SHUTTING_DOWN.has(code) || code.startsWith('08')
}

/** Whether two transactions got into each other's way and this one should simply be run again. */
export function isConflict(error: unknown): boolean {
  const code = databaseFailure(error)?.code
  return code === '40001' || code === '40P01'
}
