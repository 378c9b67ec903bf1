import { call as callWith, type CallOptions, type Transport } from '@weft/contract/core/client'
import type { Endpoint, InputOf, OutputOf } from '@weft/contract/core/endpoint'
import { botToken } from './bot-check.ts'
import { emitter } from './emitter.ts'
import { isAway } from './failure.ts'
import { xsrfHeaders } from './plain-call.ts'
import { accessToken, end, freshToken, hasToken, refresh } from './session/session.ts'

/** Told of every success that brings a message. */
export const callSucceeded = emitter<string>()
/** Told of a failure of the session itself: not 200, 401 or 403 when asking for a new token. */
export const sessionFailed = emitter<unknown>()

/** How every call of the console travels: Bearer, XSRF header, one silent refresh on 401. */
export const transport: Transport = {
  baseUrl: '',
  async headers() {
    const bearer = hasToken() ? await tokenOrNothing() : undefined
    return { ...(bearer ? { authorization: `Bearer ${bearer}` } : {}), ...xsrfHeaders() }
  },
  async onError(error) {
    if (error.httpStatus !== 401 || !hasToken()) return 'throw'
    if ((await newToken()) !== null) return 'retry'
    return 'throw'
  },
  onSuccess(body) {
    if (body.message) callSucceeded.emit(body.message)
  },
}

async function tokenOrNothing(): Promise<string | undefined> {
  try {
    return (await freshToken()) ?? undefined
  } catch {
    // The call itself will say what is wrong, and `onError` deals with it.
    return accessToken()
  }
}

async function newToken(): Promise<string | null> {
  try {
    const token = await refresh()
    if (token === null) end('expired')
    return token
  } catch (error) {
    // A lost network says nothing about the session, which goes on when it is back.
    if (!isAway(error)) sessionFailed.emit(error)
    return null
  }
}

/** What is around every call: it may ask the person for something and have the call made again. */
type Around = <T>(work: () => Promise<T>) => Promise<T>
let around: Around = (work) => work()

/** Says what is around every call from now on. */
export function surroundCalls(how: Around): void {
  around = how
}

/** Calls one endpoint. */
export function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options?: CallOptions,
): Promise<OutputOf<E>> {
  return around(async () => callWith(transport, endpoint, await vouchedFor(endpoint, input), options))
}

/** The input with what the bot check gave, for a call that asks for it; each try needs a token of its own. */
async function vouchedFor<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<InputOf<E>> {
  if (!endpoint.botAction) return input
  const token = await botToken(endpoint.botAction)
  return token === undefined ? input : { ...input, botToken: token }
}

/** Calls an endpoint that is only known while running, as the kit does for any feature; the server checks the input. */
export function callAny(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  options?: CallOptions,
): Promise<unknown> {
  return call<Endpoint>(endpoint, input as InputOf<Endpoint>, options)
}
