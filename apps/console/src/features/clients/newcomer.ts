import type { Client } from '@weft/contract/clients/schema'

/** How long a join code is good, as the server makes them; its birth is reckoned from its end. */
const CODE_MS = 15 * 60_000

/** When a join code was made, by the server's clock, so that a wrong clock here does not hide a newcomer. */
export function madeAt(expiresAt: string): number {
  return Date.parse(expiresAt) - CODE_MS
}

/**
 * The client that joined with a code: the newest one that was not known before, came after the code and carries its
 * labels.
 */
export function findNewcomer(
  clients: readonly Client[],
  known: ReadonlySet<string>,
  code: { expiresAt: string; labels: readonly string[] },
): Client | undefined {
  const since = madeAt(code.expiresAt)
  return clients
    .filter(
      ({ id, createdAt, labels }) =>
        !known.has(id) &&
        Date.parse(createdAt) >= since &&
        code.labels.every((label) => labels.includes(label)),
    )
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))[0]
}

/** Minutes and seconds until a moment, as `12:05`; null once it has passed. */
export function countdown(until: number, now: number): string | null {
  const seconds = Math.ceil((until - now) / 1000)
  if (seconds <= 0) return null
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
