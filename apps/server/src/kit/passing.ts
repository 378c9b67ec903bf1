import { isConflict, isConnectionFailure } from '../db/errors.ts'
import { AppError } from './app-error.ts'

/** Whether work failed for something that passes by itself, so that it should be tried again later and not count as failed. */
export function isPassing(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'system.database_unavailable'
  return isConnectionFailure(error) || isConflict(error)
}
