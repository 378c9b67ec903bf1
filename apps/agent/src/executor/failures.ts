import { StepError, type ErrorClass } from '@weft/workflow/errors'
import { z } from 'zod'
import { DomainRefused } from './browser/domains.ts'
import { RequestFailed } from './channel.ts'

const CRASHED =
  /target crashed|page crashed|browser has been closed|target page, context or browser has been closed|browser closed|target closed|connection closed/i
const UNUSABLE =
  /not visible|not enabled|not stable|intercepts pointer events|not editable|outside of the viewport|not attached/i

/** The element is there, but is none that can be used this way. */
const OTHER_KIND = /element is not an? <|not a checkbox or radio/i
/** What the step was given fits neither the page nor the browser. */
const WRONG_VALUE =
  /unknown key|cannot type text into|malformed value|while parsing (css|xpath) selector|is not a valid (selector|xpath)|did not find some options/i

/** Whatever a step threw, as a failure of the class that says what went wrong. */
export function toFailure(thrown: unknown): StepError {
  if (thrown instanceof StepError) return thrown
  if (thrown instanceof DomainRefused)
    return new StepError('DomainNotAllowed', thrown.message, { params: { host: thrown.host }, cause: thrown })
  if (thrown instanceof RequestFailed) {
    const missing = thrown.code === 'record.not_found'
    const errorClass: ErrorClass = missing ? 'ResourceMissing' : 'Internal'
    return new StepError(errorClass, missing ? 'What the step needs is not there.' : thrown.message, {
      cause: thrown,
    })
  }
  const message = plainMessage(thrown)
  return new StepError(classOf(message, thrown), message, { cause: thrown })
}

function classOf(message: string, thrown: unknown): ErrorClass {
  if (CRASHED.test(message)) return 'BrowserCrashed'
  if (/net::ERR_|NS_ERROR_/.test(message)) return 'NavigationFailed'
  const timedOut = thrown instanceof Error && thrown.name === 'TimeoutError'
  const whole = thrown instanceof Error ? thrown.message : message
  if (OTHER_KIND.test(whole)) return 'ElementNotUsable'
  if (WRONG_VALUE.test(whole)) return 'InputInvalid'
  if (timedOut && UNUSABLE.test(whole)) return 'ElementNotUsable'
  if (timedOut) return 'Timeout'
  return 'Internal'
}

// Playwright colours its messages and puts its call log below them.
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** The first line of a message, without colours and call logs. */
export function plainMessage(thrown: unknown): string {
  if (thrown instanceof z.ZodError) return z.prettifyError(thrown).replaceAll('\n', ' ').slice(0, 1000)
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  const [first = ''] = text.replaceAll(ESCAPES, '').split('\n')
  return first.slice(0, 1000)
}

/** The failure that something ended with, where the page or the element is to blame and not what was asked of them. */
export function troubleWithPage(thrown: unknown): StepError | null {
  const failure = toFailure(thrown)
  return failure.class === 'BrowserCrashed' || failure.class === 'ElementNotUsable' ? failure : null
}

/** Waits for something, but not longer than the signal lets it. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (!signal.aborted) {
    const { promise, reject } = Promise.withResolvers<never>()
    const stop = () => reject(toFailure(signal.reason))
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await Promise.race([work, promise])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
  work.catch(() => undefined)
  throw toFailure(signal.reason)
}
