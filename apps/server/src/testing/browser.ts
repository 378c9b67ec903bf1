import { access } from '@weft/contract/access/api'
import { wholeSignIn } from '@weft/contract/access/schema'
import { CallError, clientOf, type ClientOf, type Transport } from '@weft/contract/core/client'
import type { Api } from '@weft/contract/core/endpoint'

/** A browser as far as signing in needs one: a cookie jar, the header that repeats its cookie, and a token to call with. */
export interface TestBrowser {
  jar: Map<string, string>
  transport: Transport & { token: string }
  api<A extends Api>(api: A): ClientOf<A>
  /** Signs in with nothing but a password and calls as that person from then on. */
  signIn(username: string, password: string, remember?: boolean): Promise<void>
}

/** A fresh browser. */
export function testBrowser(baseUrl: string): TestBrowser {
  const jar = new Map<string, string>()
  const transport: Transport & { token: string } = {
    baseUrl,
    token: '',
    headers: () => ({
      cookie: cookieHeader(jar),
      'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
      ...(transport.token ? { authorization: `Bearer ${transport.token}` } : {}),
    }),
    async fetch(input, init) {
      const response = await fetch(input, init)
      keepCookies(jar, response)
      return response
    },
  }
  return {
    jar,
    transport,
    api: (api) => clientOf(transport, api),
    async signIn(username, password, remember = false) {
      const answer = await clientOf(transport, access).login({ username, password, remember })
      transport.token = wholeSignIn(answer).token
    },
  }
}

/** The jar as a request shows it. */
export function cookieHeader(jar: ReadonlyMap<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** Puts an answer's cookies into a jar, and takes those out that it clears. */
export function keepCookies(jar: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split('; ')
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (attributes.some((one) => /^Max-Age=0$|^Expires=Thu, 01 Jan 1970/i.test(one))) jar.delete(name)
    else jar.set(name, value)
  }
}

/** The refusal that a call is expected to end with. */
export async function refusal(call: Promise<unknown>): Promise<CallError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof CallError) return error
  throw new Error('the call was expected to be refused', { cause: error })
}

/** The code of the refusal that a call ends with, `no error` where it is answered. */
export function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no error',
    (error: unknown) => (error instanceof CallError ? error.code : error),
  )
}
