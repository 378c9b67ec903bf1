import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** How much the clocks of two nodes may differ. */
const CLOCK_SKEW_MS = 5_000

interface MintOptions {
  node?: string
  secret?: string
  /** Tokens of one hub are no tokens of another. */
  path: string
  lifeMs: number
}

/**
 * Makes the secret keys of connections, and the public ids that follow from them. A key is `node.random`, or with a
 * shared secret `node.issued.random.mac`, which every node holding the secret can check for itself.
 */
export class TokenMint {
  readonly node: string
  readonly #secret: string | undefined
  readonly #path: string
  readonly #lifeMs: number

  constructor({ node, secret, path, lifeMs }: MintOptions) {
    if (node !== undefined && !/^[\w-]{1,64}$/.test(node))
      throw new Error("A hub's node name has 1 to 64 letters, digits, '_' or '-'.")
    if (secret !== undefined && secret.length < 16)
      throw new Error("A hub's node secret has at least 16 characters.")
    this.node = node ?? randomBytes(6).toString('base64url')
    this.#secret = secret
    this.#path = path
    this.#lifeMs = lifeMs
  }

  mint(userId: string, wall: number): string {
    const random = randomBytes(18).toString('base64url')
    if (this.#secret === undefined) return `${this.node}.${random}`
    const signed = `${this.node}.${Math.floor(wall).toString(36)}.${random}`
    return `${signed}.${this.#mac(this.#secret, signed, userId)}`
  }

  /** True for a key that another node made for this user not long ago. */
  isForeign(token: string, userId: string, wall: number): boolean {
    const [node, issued, random, mac] = token.split('.')
    if (this.#secret === undefined || !node || !issued || !random || !mac || node === this.node) return false
    const age = wall - Number.parseInt(issued, 36)
    // Also false when the time is no number.
    if (!(age > -CLOCK_SKEW_MS && age < this.#lifeMs + CLOCK_SKEW_MS)) return false
    const expected = Buffer.from(this.#mac(this.#secret, `${node}.${issued}.${random}`, userId))
    const given = Buffer.from(mac)
    return (
      token.split('.').length === 4 && given.length === expected.length && timingSafeEqual(given, expected)
    )
  }

  #mac(secret: string, signed: string, userId: string): string {
    return createHmac('sha256', secret)
      .update(JSON.stringify([this.#path, signed, userId]))
      .digest('base64url')
  }
}

/** The public id of a key: the same on every node, and no way back. */
export function publicId(token: string): string {
  return createHash('sha256').update(`hub connection ${token}`).digest('base64url').slice(0, 22)
}
