import type { ErrorBody } from '@weft/contract/core/errors'

/**
 * A failed call in the shape that everything here understands. The contract's `CallError` has it too; the boot and
 * sign-in code has its own so that they load without the schemas.
 */
export interface Failure {
  readonly httpStatus: number
  readonly body: ErrorBody
  readonly retryAfterSeconds: number | undefined
}

/** Thrown by the boot and sign-in calls. */
export class CallFailure extends Error implements Failure {
  readonly httpStatus: number
  readonly body: ErrorBody
  readonly retryAfterSeconds: number | undefined

  constructor(httpStatus: number, body: ErrorBody, retryAfterSeconds?: number) {
    super(body.message)
    this.name = 'CallFailure'
    this.httpStatus = httpStatus
    this.body = body
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether what was thrown is a failed call. */
export function isFailure(error: unknown): error is Failure & Error {
  return error instanceof Error && 'httpStatus' in error && 'body' in error
}

/** Whether no answer came at all, or one that only says that the server is not there. */
export function isAway(error: unknown): boolean {
  return isFailure(error) && (error.httpStatus === 0 || error.body.code === 'network.unreachable')
}

/** Whether the record is there no more, or is not for this person: asking again changes nothing. */
export function isOutOfReach(error: unknown): boolean {
  return isFailure(error) && (error.httpStatus === 404 || error.httpStatus === 403)
}

/** Code that did not come: the network is away, or a new version was installed meanwhile. */
export function isMissingChunk(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|Unable to preload/i.test(error.message)
  )
}

/** What a failed call leads to. */
export type Consequence = 'signIn' | 'forbidden' | 'endSession' | 'toast' | 'inPlace'

/**
 * 401 first, then 403, then the rest. Only a failure of the session itself ends it; any other failed call keeps the page
 * and what was typed. `place` says who asked: the session, a page for its own record, a part of a page that shows its
 * failures itself (a list, a form), or an action.
 */
export function consequenceOf(
  httpStatus: number,
  place: 'session' | 'page' | 'part' | 'action',
): Consequence {
  if (httpStatus === 401) return 'signIn'
  if (httpStatus === 403)
    return place === 'page' || place === 'session' ? 'forbidden' : place === 'part' ? 'inPlace' : 'toast'
  if (place === 'session') return 'endSession'
  return place === 'action' ? 'toast' : 'inPlace'
}
