import type { SignedIn } from '@weft/contract/access/schema'
import type { NextStep } from '@weft/contract/access/two-steps/schema'
import { emitter, store } from '../emitter.ts'
import { isFailure } from '../failure.ts'
import { plainCall } from '../plain-call.ts'
import { STORAGE, forgetPasswords, forgetPerson, writeStored } from '../storage.ts'
import { ACCESS_CALLS } from './calls.ts'
import {
  isFresh,
  isRemembered,
  readToken,
  rulesOf,
  writeToken,
  writeUser,
  type SignedInUser,
  type Token,
} from './state.ts'

/** Why a session ended. */
export type EndReason = 'logout' | 'expired' | 'failed' | 'otherTab'

/** Who is signed in; null for a visitor. */
export const signedIn = store<SignedInUser | null>(null)
/** Told once when a session ends, so that stores clear, the socket closes and the page goes to the sign-in. */
export const sessionEnded = emitter<EndReason>()
/** Told when somebody signs in or the rights of who is signed in change. */
export const sessionBegan = emitter<SignedInUser>()

let token: Token | null = null
let refreshing: Promise<string | null> | undefined

/** The rules that hold now. */
export function currentRules() {
  return rulesOf(signedIn.get())
}

/** The access token, or undefined for a visitor. */
export function accessToken(): string | undefined {
  return token?.token
}

/** Whether there is a token at all, good or too old. */
export function hasToken(): boolean {
  return token !== null
}

/** A token that is good now: the present one, or a fresh one by the refresh cookie. Null when nobody is signed in. */
export async function freshToken(): Promise<string | null> {
  if (isFresh(token, Date.now())) return token.token
  return token ? refresh() : null
}

/**
 * Trades the refresh cookie for a new token. Several callers share one trade, and several tabs one lock: who waited for
 * it finds the token that the other tab has brought. Null when the cookie is no longer good.
 */
export function refresh(): Promise<string | null> {
  refreshing ??= withLock(async () => {
    const stored = readToken()
    if (stored && stored.token !== token?.token && isFresh(stored, Date.now())) {
      token = stored
      return stored.token
    }
    try {
      const answer = await plainCall<SignedIn>('POST', ACCESS_CALLS.refresh)
      accept(answer)
      return answer.token
    } catch (error) {
      if (isFailure(error) && (error.httpStatus === 401 || error.httpStatus === 403)) return null
      throw error
    }
  }).finally(() => {
    refreshing = undefined
  })
  return refreshing
}

async function withLock<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('weft.refresh', work) : work()
}

/** Takes what a sign-in or a refresh gave. */
export function accept(answer: SignedIn): void {
  token = { token: answer.token, expiresAt: answer.expiresAt }
  writeToken(token)
  hold({ user: answer.user, abilities: answer.abilities, viewing: answer.viewing })
}

function hold(info: SignedInUser): void {
  const before = signedIn.get()
  writeUser(info)
  if (before && JSON.stringify(before) === JSON.stringify(info)) return
  signedIn.set(info)
  sessionBegan.emit(info)
}

/** What a sign-in asks for after the password. */
export type Step = NextStep['twoSteps']

/**
 * Signs in with a password, which goes into the call and nowhere else. Gives the next step where a second one is asked
 * for, else null.
 */
export async function signIn(input: {
  username: string
  password: string
  remember: boolean
  botToken?: string | undefined
}): Promise<Step | null> {
  const answer = await plainCall<SignedIn | NextStep>('POST', ACCESS_CALLS.login, { body: input })
  noteRemember(input.remember)
  writeStored(STORAGE.username, input.remember ? input.username : null)
  if ('twoSteps' in answer) return answer.twoSteps
  accept(answer)
  return null
}

/** Keeps whether the person asked to be remembered on this device. */
export function noteRemember(remember: boolean): void {
  writeStored(STORAGE.isRemember, JSON.stringify(remember))
}

/** Makes the first administrator and signs in. */
export async function setUp(input: { token: string; username: string; password: string }): Promise<void> {
  accept(await plainCall<SignedIn>('POST', ACCESS_CALLS.setUp, { body: input }))
}

/** Asks anew who is signed in, after a change of rights. */
export async function reloadUser(): Promise<void> {
  const bearer = await freshToken()
  if (bearer === null) return end('expired')
  try {
    hold(await plainCall<SignedInUser>('GET', ACCESS_CALLS.info, { token: bearer }))
  } catch (error) {
    if (!isFailure(error) || error.httpStatus !== 401) throw error
    // The token ended before its time: a new one brings the person along, or the session is over.
    if ((await refresh()) === null) end('expired')
  }
}

/**
 * Asks whether the session goes on, where something speaks against it, as when the live connection was cut. Only a clear
 * no ends it: a server that is away says nothing about the session.
 */
export async function checkSession(): Promise<void> {
  if (!token) return
  try {
    hold(await plainCall<SignedInUser>('GET', ACCESS_CALLS.info, { token: token.token }))
  } catch (error) {
    if (!isFailure(error) || error.httpStatus !== 401) return
    const next = await refresh().catch(() => undefined)
    if (next === null) end('expired')
  }
}

/**
 * Finds out at the start who is here: by the stored token, else by the refresh cookie where the person is remembered.
 * A failure that says nothing about the session is thrown.
 */
export async function restoreSession(): Promise<void> {
  forgetPasswords()
  watchOtherTabs()
  token = readToken()
  if (!isFresh(token, Date.now())) {
    if (!token && !isRemembered()) return
    if ((await refresh()) === null) forget()
    return
  }
  try {
    hold(await plainCall<SignedInUser>('GET', ACCESS_CALLS.info, { token: token.token }))
  } catch (error) {
    if (!isFailure(error) || error.httpStatus !== 401) throw error
    if ((await refresh()) === null) forget()
  }
}

/** Signs out here and in all tabs. The server is told where it can be reached; the browser forgets in any case. */
export async function signOut(): Promise<void> {
  const bearer = token?.token
  end('logout')
  try {
    await plainCall('POST', ACCESS_CALLS.logout, { token: bearer })
  } catch (error) {
    // Offline, or ended already: the token dies by itself within minutes, and this browser no longer has it.
    console.warn('The server could not be told of the sign-out.', error)
  }
}

/** Ends the session in this browser. */
export function end(reason: EndReason): void {
  if (!token && !signedIn.get()) return
  forget()
  if (reason === 'logout') forgetPerson()
  sessionEnded.emit(reason)
}

function forget(): void {
  token = null
  writeToken(null)
  writeUser(null)
  signedIn.set(null)
}

/** Whether the person who is stored now is the one shown here. */
function isSamePerson({ storageArea }: StorageEvent): boolean {
  const shown = signedIn.get()?.user.id
  const stored = storageArea?.getItem(STORAGE.user)
  return !shown || !stored || stored.includes(shown)
}

let watching = false

/** A token that goes away in another tab ends this one too; a new one is taken over. */
function watchOtherTabs(): void {
  if (watching) return
  watching = true
  addEventListener('storage', (event) => {
    // The same session, and somebody else in it: looking on as somebody began or ended in another tab.
    if (event.key === STORAGE.user && event.newValue !== null && !isSamePerson(event))
      return location.reload()
    if (event.key !== STORAGE.token && event.key !== null) return
    const stored = readToken()
    if (!stored) return end('otherTab')
    const begins = token === null
    token = stored
    // Another person or a first sign-in in another tab: start over with their routes and rights.
    if (begins || !isSamePerson(event)) location.reload()
  })
}
