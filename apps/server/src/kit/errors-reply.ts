import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody, ErrorParams } from '@weft/contract/core/errors'
import { databaseFailure, isConnectionFailure, type DatabaseFailure } from '../db/errors.ts'
import { AppError } from './app-error.ts'

/** Answers any failure in the one form that every failure has; what the server did wrong is logged, never told. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asAppError(error)
  if (known.httpStatus >= 500 && known.code !== 'system.maintenance')
    request.log.error({ err: error, code: known.code }, 'a call failed')
  if (known.retryAfterSeconds !== undefined) void reply.header('retry-after', known.retryAfterSeconds)
  return reply.code(known.httpStatus).header('cache-control', 'no-store').send(errorBody(known, request.id))
}

/** The body of a failure. */
export function errorBody(error: AppError, requestId: string): ErrorBody {
  return {
    status: 'Error',
    code: error.code,
    message: error.message,
    ...(Object.keys(error.params).length > 0 ? { params: error.params } : {}),
    ...(error.errors ? { errors: error.errors } : {}),
    ...(error.current === undefined ? {} : { current: error.current }),
    requestId,
  }
}

/** What a caller is told of any error. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isConnectionFailure(error))
    return new AppError('system.database_unavailable', {}, { cause: error, retryAfterSeconds: 2 })
  const failure = databaseFailure(error)
  return (
    (failure && ofConstraint(failure)) ??
    ofFastify(error) ??
    new AppError('system.failed', {}, { cause: error })
  )
}

/** Values that the contract let through and no column can hold: numbers, dates and texts beyond its bounds. */
const BEYOND_COLUMNS = new Set(['22001', '22003', '22007', '22008', '22021', '22P05'])

/** A constraint that refused a row says what is wrong with it. */
function ofConstraint({ code, detail }: DatabaseFailure): AppError | undefined {
  if (BEYOND_COLUMNS.has(code ?? '')) return new AppError('request.invalid')
  const params: ErrorParams = { field: fieldOf(detail) }
  if (code === '23505') return new AppError('record.duplicate', params)
  if (code === '23503')
    return detail?.includes('still referenced')
      ? new AppError('record.in_use')
      : new AppError('link.not_found', params)
  return undefined
}

/** `Key (owner_id, username_key)=(…)` speaks of `username`: the last column, as the contract writes it. */
function fieldOf(detail: string | undefined): string {
  const columns = /^Key \(([^)]*)\)/.exec(detail ?? '')?.[1]?.split(', ') ?? []
  const last = (columns.at(-1) ?? '').replace(/_key$/, '')
  return last.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function ofFastify(error: unknown): AppError | undefined {
  if (!isFastifyError(error)) return undefined
  if (error.statusCode === 413) return new AppError('request.too_large', { maxBytes: null }, { cause: error })
  if (error.statusCode === 415)
    return new AppError('request.unsupported_type', { expected: 'application/json' }, { cause: error })
  if (error.statusCode === 503)
    return new AppError('system.stopping', {}, { cause: error, retryAfterSeconds: 2 })
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new AppError('request.malformed', {}, { cause: error })
  return undefined
}

function isFastifyError(error: unknown): error is FastifyError {
  return (
    error instanceof Error && 'code' in error && 'statusCode' in error && typeof error.statusCode === 'number'
  )
}
