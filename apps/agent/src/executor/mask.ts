import type { Json } from '@weft/workflow/json'

/** What stands where a secret was. */
export const MASK = '••••••'
/** Shorter secrets would blot out ordinary text; they are hidden only where they are the whole of a value. */
const SHORTEST_WITHIN = 4

/** Knows the secrets of one run and hides them, however they were written, in whatever leaves the executor. */
export class Masker {
  readonly #whole = new Set<string>()
  #within: string[] = []

  /** From now on this value is hidden. */
  add(secret: string): void {
    if (secret === '' || this.#whole.has(secret)) return
    this.#whole.add(secret)
    if (secret.length < SHORTEST_WITHIN) return
    const forms = new Set([...this.#within, ...formsOf(secret)])
    // The longest first: one secret may hold another.
    this.#within = [...forms].sort((a, b) => b.length - a.length)
  }

  /** The secrets themselves, for a run that goes on where this one leaves. */
  get secrets(): string[] {
    return [...this.#whole]
  }

  get isEmpty(): boolean {
    return this.#whole.size === 0
  }

  /** The ways in which the secrets may be written. */
  get forms(): readonly string[] {
    return this.#within
  }

  text(text: string): string {
    if (this.#whole.has(text)) return MASK
    let masked = text
    for (const form of this.#within) if (masked.includes(form)) masked = masked.replaceAll(form, MASK)
    return masked
  }

  /** The same value with every text in it masked, keys too. */
  value(value: Json): Json {
    if (this.isEmpty) return value
    if (typeof value === 'string') return this.text(value)
    // A one-time code may come back as a number.
    if (typeof value === 'number') return this.#whole.has(String(value)) ? MASK : value
    if (Array.isArray(value)) return value.map((item) => this.value(item))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.value(item)]))
  }
}

function formsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  const html = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  const encoded = encodeURIComponent(secret)
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    html,
    encoded,
    new URLSearchParams({ '': secret }).toString().slice(1),
    Buffer.from(secret).toString('base64'),
  ]
}
