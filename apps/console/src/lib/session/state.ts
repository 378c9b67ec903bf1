import type { Rule } from '@weft/contract/core/permissions'
import type { User, UserInfo } from '@weft/contract/access/schema'
import { STORAGE, readStored, readStoredJson, writeStored } from '../storage.ts'

/** The access token and when it ends. */
export interface Token {
  token: string
  expiresAt: string
}

/** Who is signed in, and what they may do. */
export interface SignedInUser {
  user: User
  abilities: Rule[]
  /** Set where somebody else looks on as this person: who, why, until when. */
  viewing?: UserInfo['viewing']
}

/** What everybody may do, also without sign-in. */
export const VISITOR_RULES: Rule[] = [{ action: 'VIEW', subject: 'AUTH' }]

/** The rules that hold for somebody: the stored ones and, for everyone, VIEW on AUTH. */
export function rulesOf(info: SignedInUser | null): Rule[] {
  return info ? [...info.abilities, ...VISITOR_RULES] : VISITOR_RULES
}

/** The stored token, or null where there is none or it cannot be read. */
export function readToken(): Token | null {
  const stored = readStored(STORAGE.token)
  if (!stored) return null
  try {
    const value: unknown = JSON.parse(atob(stored))
    if (value === null || typeof value !== 'object') return null
    if (!('token' in value) || !('expiresAt' in value)) return null
    if (typeof value.token !== 'string' || typeof value.expiresAt !== 'string') return null
    return { token: value.token, expiresAt: value.expiresAt }
  } catch {
    return null
  }
}

/** Keeps the token as base64. */
export function writeToken(token: Token | null): void {
  writeStored(STORAGE.token, token ? btoa(JSON.stringify(token)) : null)
}

/** Whether a token is still good, with some seconds to spare for the way to the server. */
export function isFresh(token: Token | null, now: number): token is Token {
  return token !== null && Date.parse(token.expiresAt) - 10_000 > now
}

/** Keeps who is signed in. */
export function writeUser(info: SignedInUser | null): void {
  const kept = info && { user: info.user, abilities: info.abilities, viewing: info.viewing }
  writeStored(STORAGE.user, kept && JSON.stringify(kept))
}

/** Whether the person asked to be remembered on this device. */
export function isRemembered(): boolean {
  return readStoredJson(STORAGE.isRemember) === true
}
