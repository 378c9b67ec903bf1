import type { Exclusion, Pairing } from '@weft/contract/campaigns/schema'

/** What the planner needs to know of a resource; `usable` false excludes it with the reason. */
export interface Candidate {
  id: string
  name: string
  usable: boolean
  status: string
  profileId?: string | null
  proxyId?: string | null
  phoneId?: string | null
}

/** The sets of one campaign, each in the order of attaching. */
export interface Sets {
  account: Candidate[]
  profile: Candidate[]
  proxy: Candidate[]
  phone: Candidate[]
  video: Candidate[]
}
export type Kind = keyof Sets

/** What one item binds. */
export type Binding = Record<Kind, Candidate | null>

const KINDS: readonly Kind[] = ['account', 'profile', 'proxy', 'phone', 'video']
const UNUSABLE: Record<Kind, Exclusion['code']> = {
  account: 'plan.account_not_usable',
  profile: 'plan.profile_not_usable',
  proxy: 'plan.proxy_not_usable',
  phone: 'plan.phone_not_usable',
  video: 'plan.video_not_ready',
}
const PLURAL = {
  account: 'accounts',
  profile: 'profiles',
  proxy: 'proxies',
  phone: 'phones',
  video: 'videos',
} as const

/** What `plan` yields: an item to do, or a resource left out and why. */
export type Planned = { item: Binding } | { exclusion: Exclusion }

/**
 * The exact work of a campaign: for each usable resource of the kind that the pairing is per, one item with its
 * partners. `linked` finds a resource that another names even where it is not attached itself. Pure and lazy, so that a
 * plan of a hundred thousand items is never whole in memory twice.
 */
export function* plan(
  pairing: Pairing,
  sets: Sets,
  linked: (kind: Kind, id: string) => Candidate | undefined,
): Generator<Planned> {
  const usable = (kind: Kind) => sets[kind].filter((candidate) => candidate.usable)
  for (const kind of KINDS)
    for (const candidate of sets[kind])
      if (!candidate.usable)
        yield { exclusion: exclude(kind, candidate, UNUSABLE[kind], { status: candidate.status }) }

  const others = KINDS.filter((kind) => kind !== pairing.per)
  const pools = Object.fromEntries(others.map((kind) => [kind, usable(kind)]))
  let index = 0
  for (const first of usable(pairing.per)) {
    const binding: Binding = { account: null, profile: null, proxy: null, phone: null, video: null }
    binding[pairing.per] = first
    const missing = others
      .map((kind) => join(kind, pairing[kind], pools[kind] ?? [], index, first, binding, linked))
      .find((reason) => reason !== null)
    if (missing) {
      yield { exclusion: exclude(pairing.per, first, missing.code, missing.params) }
    } else {
      yield { item: binding }
      index += 1
    }
  }
}

interface Missing {
  code: Exclusion['code']
  params: Record<string, string>
}

/** Puts the partner of one kind into the binding, or tells why there is none. */
function join(
  kind: Kind,
  how: Pairing['profile'],
  pool: Candidate[],
  index: number,
  first: Candidate,
  binding: Binding,
  linked: (kind: Kind, id: string) => Candidate | undefined,
): Missing | null {
  if (how === 'none') return null
  if (how === 'link') {
    const id = linkOf(kind, first) ?? (kind === 'proxy' && binding.profile ? binding.profile.proxyId : null)
    if (!id) return null
    const partner = linked(kind, id)
    if (!partner) return { code: 'plan.link_missing', params: { kind } }
    if (!partner.usable)
      return { code: UNUSABLE[kind], params: { status: partner.status, name: partner.name } }
    binding[kind] = partner
    return null
  }
  if (pool.length === 0) return null
  const partner = how === 'turn' ? pool[index % pool.length] : pool[index]
  if (!partner) return { code: 'plan.no_partner', params: { kind } }
  binding[kind] = partner
  return null
}

function linkOf(kind: Kind, first: Candidate): string | null | undefined {
  if (kind === 'profile') return first.profileId
  if (kind === 'proxy') return first.proxyId
  if (kind === 'phone') return first.phoneId
  return null
}

function exclude(
  kind: Kind,
  candidate: Candidate,
  code: Exclusion['code'],
  params: Record<string, string>,
): Exclusion {
  return { kind: PLURAL[kind], id: candidate.id, name: candidate.name, code, params }
}
