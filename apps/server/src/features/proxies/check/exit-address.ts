import { isIP } from 'node:net'

/** Names under which services of this kind tell the address that they saw. */
const NAMES = ['address', 'ip', 'origin', 'query', 'ip_addr', 'clientIp']

/** The address in the answer of a check address: JSON with it, or nothing but it; null where there is none. */
export function exitAddressIn(body: string): string | null {
  const text = body.trim()
  if (isIP(text) !== 0) return text
  if (!text.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || typeof value !== 'object') return null
    for (const name of NAMES) {
      const found: unknown = Reflect.get(value, name)
      // Some tell every hop; the first is where it came from.
      const first = typeof found === 'string' ? (found.split(',')[0] ?? '').trim() : ''
      if (isIP(first) !== 0) return first
    }
    return null
  } catch {
    return null
  }
}
