import { randomBytes } from 'node:crypto'

/** A client's public name: short, unique, not secret. */
export function newClientKey(): string {
  return `wk_${randomBytes(9).toString('base64url')}`
}
