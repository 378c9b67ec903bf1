import type { ErrorParams, FieldError } from '@weft/contract/core/errors'
import { ERRORS, type ErrorCode } from '@weft/contract/errors'
import { messageOf } from '@weft/contract/messages'

/** What an error carries besides its code and params. */
export interface AppErrorExtras {
  /** Every wrong field. */
  errors?: FieldError[]
  /** The record as it is now, for a stale version. */
  current?: unknown
  retryAfterSeconds?: number
  cause?: unknown
}

/** A refusal with a stable code. Its HTTP status and English text come from the contract. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly params: ErrorParams
  readonly errors: FieldError[] | undefined
  readonly current: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, params: ErrorParams = {}, extras: AppErrorExtras = {}) {
    super(messageOf(code, params), { cause: extras.cause })
    this.code = code
    this.params = params
    this.errors = extras.errors
    this.current = extras.current
    this.retryAfterSeconds = extras.retryAfterSeconds
  }

  get httpStatus(): number {
    return ERRORS[this.code]
  }
}

/** 422 for one field that a schema cannot judge. */
export function fieldError(path: string, code: string, message: string): AppError {
  return new AppError('request.invalid', {}, { errors: [{ path, code, message }] })
}
