import type { Endpoint } from '@weft/contract/core/endpoint'

/** A right that making a record takes, or the code of what keeps one from being changed. */
export type Refused = { kind: 'create'; action: string; subject: string } | { kind: 'update'; code: string }

/** The right that this person lacks for a new record, if any. */
export function notMade(
  endpoint: Endpoint | undefined,
  may: (endpoint: Endpoint) => boolean,
): Refused | null {
  const access = endpoint?.access
  if (!endpoint || typeof access !== 'object' || may(endpoint)) return null
  return { kind: 'create', action: access.action, subject: access.subject }
}

/** A record that says what may be done with it, and does not name changing it. */
export function notChanged({ can, cannot }: { can?: unknown; cannot?: unknown }): Refused | null {
  if (!Array.isArray(can) || can.includes('update')) return null
  const reason =
    cannot !== null && typeof cannot === 'object' && 'update' in cannot ? cannot.update : undefined
  return { kind: 'update', code: typeof reason === 'string' ? reason : 'access.denied' }
}
