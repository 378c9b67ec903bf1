import { codeWithoutBody } from '@weft/contract/core/away'
import type { ErrorBody } from '@weft/contract/core/errors'
import { CallFailure } from './failure.ts'

export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'
const TIMEOUT_MS = 30_000

/** One cookie's value out of `document.cookie`. */
export function cookieValue(cookies: string, name: string): string | undefined {
  for (const part of cookies.split(';')) {
    const at = part.indexOf('=')
    if (at < 0 || part.slice(0, at).trim() !== name) continue
    try {
      return decodeURIComponent(part.slice(at + 1).trim())
    } catch {
      return undefined
    }
  }
  return undefined
}

/** The header that shows a call to come from our own page. */
export function xsrfHeaders(): Record<string, string> {
  const token = cookieValue(document.cookie, XSRF_COOKIE)
  return token ? { [XSRF_HEADER]: token } : {}
}

/**
 * A call of the boot or of the sign-in pages: the envelope of every call, without the contract's schemas, which these
 * pages are too light to carry. Everything else goes through `call` of `api.ts`.
 */
export async function plainCall<T>(
  method: 'GET' | 'POST',
  path: string,
  options: { body?: unknown; token?: string | undefined } = {},
): Promise<T> {
  let response: Response
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...xsrfHeaders(),
      },
      ...(method === 'POST' ? { body: JSON.stringify(options.body ?? {}) } : {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError'
    throw new CallFailure(timedOut ? 504 : 0, {
      status: 'Error',
      code: timedOut ? 'request.timeout' : 'network.unreachable',
      message: timedOut ? 'The server did not answer in time.' : 'The server cannot be reached.',
    })
  }
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok && answer !== null && typeof answer === 'object' && 'data' in answer)
    return answer.data as T
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  throw new CallFailure(
    response.ok ? 500 : response.status,
    errorBody(answer, response.status),
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  )
}

function errorBody(answer: unknown, status: number): ErrorBody {
  const found =
    answer !== null && typeof answer === 'object' && 'code' in answer && typeof answer.code === 'string'
  if (found) return answer as ErrorBody
  return { status: 'Error', code: codeWithoutBody(status), message: `The server answered ${status}.` }
}
