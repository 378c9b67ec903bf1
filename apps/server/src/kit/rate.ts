import { AppError } from './app-error.ts'

/** At once, and then per second. An open page that follows a running campaign stays well below. */
const PERSON = { burst: 600, perSecond: 20 }
/**
 * For all whom nobody knows yet at one network address. A hundred agents or an office of people that come back at once
 * after a restart pass; guessing tokens does not.
 */
const ADDRESS = { burst: 400, perSecond: 10 }
const KEPT_MAX = 20_000

interface Bucket {
  left: number
  at: number
}

/** How often each caller may call, in this process. */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>()
  readonly #burst: number
  readonly #perSecond: number

  constructor({ burst, perSecond }: { burst: number; perSecond: number } = PERSON) {
    this.#burst = burst
    this.#perSecond = perSecond
  }

  /** Counts one call of this caller; 429 when there were too many. */
  take(caller: string, nowMs: number): void {
    const bucket = this.#buckets.get(caller) ?? { left: this.#burst, at: nowMs }
    const refilled = bucket.left + (Math.max(0, nowMs - bucket.at) / 1000) * this.#perSecond
    const left = Math.min(this.#burst, refilled) - 1
    if (left < 0) {
      const seconds = Math.ceil(-left / this.#perSecond)
      throw new AppError('request.too_many', { seconds }, { retryAfterSeconds: seconds })
    }
    // Whoever was not heard of for long has a full bucket again: forgetting them changes nothing.
    if (this.#buckets.size >= KEPT_MAX) this.#buckets.clear()
    this.#buckets.set(caller, { left, at: nowMs })
  }
}

/** How often those may call whom nobody knows: by network address, in this process. */
export class AddressLimit {
  readonly #limit: RateLimit

  constructor(options = ADDRESS) {
    this.#limit = new RateLimit(options)
  }

  /** Counts one call from there; 429 when there were too many. */
  take(address: string, nowMs: number): void {
    this.#limit.take(networkOf(address), nowMs)
  }
}

/** The network that an address stands for. One household has a whole /64 of IPv6; it counts as one address. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail = ''] = plain.split('::')
  const groups = head.split(':').filter(Boolean)
  const behind = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - behind.length) }, () => '0')
  const all = plain.includes('::') ? [...groups, ...zeros, ...behind] : groups
  return all.slice(0, 4).join(':')
}
