import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A secret of 256 bits to hand out. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of a token. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** Whether a token is the one that was kept, in the same time for every answer. */
export function isToken(token: string, kept: Buffer): boolean {
  return timingSafeEqual(hashToken(token), kept)
}
