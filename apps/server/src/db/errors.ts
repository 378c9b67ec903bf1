import { z } from 'zod'

const shape = z.object({
  code: z.string().optional(),
  constraint: z.string().optional(),
  detail: z.string().optional(),
  table: z.string().optional(),
})

/** What Postgres or the driver said, wherever in the chain of causes it stands. */
export interface DatabaseFailure {
  code: string | undefined
  constraint: string | undefined
  detail: string | undefined
  message: string
}

/** Finds the database's own error inside what was thrown; undefined where there is none. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const parsed = shape.safeParse(at)
    const code = parsed.success ? parsed.data.code : undefined
    if (
      code !== undefined ||
      /^Connection terminated|^Client has encountered|timeout exceeded when trying/.test(at.message)
    )
      return {
        code,
        constraint: parsed.data?.constraint,
        detail: parsed.data?.detail,
        message: at.message,
      }
  }
  return undefined
}

const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
])

/** Whether the database could not be reached or went away; the work may be tried again if it was not committing. */
export function isConnectionFailure(error: unknown): boolean {
  const failure = databaseFailure(error)
  if (!failure) return false
  if (failure.code === undefined) return true
  return NO_CONNECTION.has(failure.code) || failure.code.startsWith('08')
}

/** Whether two transactions got into each other's way and this one should simply be run again. */
export function isConflict(error: unknown): boolean {
  const code = databaseFailure(error)?.code
  return code === '40001' || code === '40P01'
}
