import { JOINS, PER, type Attachable, type Pairing } from '@weft/contract/campaigns/schema'

/** The kinds that an item can bind. */
export const BOUND = ['account', 'profile', 'proxy', 'phone', 'video'] as const
export type BoundKind = (typeof BOUND)[number]
/** The set from which each kind is taken. */
export const PLURAL = {
  account: 'accounts',
  profile: 'profiles',
  proxy: 'proxies',
  phone: 'phones',
  video: 'videos',
} as const satisfies Record<BoundKind, Attachable>
export type Join = (typeof JOINS)[number]

/** The kinds that join an item made per `per`. */
export function partnersOf(per: Pairing['per']): BoundKind[] {
  return BOUND.filter((kind) => kind !== per)
}

/**
 * Whether a resource of this kind can be found by the link of another: an account names its profile, proxy and phone, a
 * profile its proxy.
 */
export function canLink(pairing: Pairing, kind: BoundKind): boolean {
  if (pairing.per === 'account') return kind === 'profile' || kind === 'proxy' || kind === 'phone'
  if (pairing.per === 'profile') return kind === 'proxy'
  return kind === 'proxy' && pairing.profile !== 'none' && pairing.profile !== 'link'
}

/** The rules that make sense for a kind; one that is set stays among them, so that it can be seen and changed. */
export function joinsFor(pairing: Pairing, kind: BoundKind): Join[] {
  const current = kind === pairing.per ? 'none' : pairing[kind]
  return JOINS.filter((join) => join !== 'link' || canLink(pairing, kind) || current === 'link')
}

/** Reads a pairing out of a form's values. */
export function asPairing(value: unknown): Pairing {
  const given: Record<string, unknown> = value !== null && typeof value === 'object' ? { ...value } : {}
  const join = (kind: BoundKind): Join => JOINS.find((one) => one === given[kind]) ?? 'none'
  return {
    per: PER.find((one) => one === given['per']) ?? 'account',
    account: join('account'),
    profile: join('profile'),
    proxy: join('proxy'),
    phone: join('phone'),
    video: join('video'),
  }
}
