/** A ready item, as the dispatcher weighs it. */
export interface Candidate {
  id: string
  account_id: string | null
  profile_id: string | null
  proxy_id: string | null
  phone_id: string | null
  video_id: string | null
}

/** What is known when items are weighed. */
export interface Facts {
  /** Items whose account may not be used now. */
  blocked: ReadonlySet<string>
  /** Free slots of the proxies that have a capacity. */
  slots: ReadonlyMap<string, readonly number[]>
  /** The domains that an item would visit, where their pace is limited. */
  sitesOf: (item: Candidate) => readonly string[]
  /** How many runs may still begin on a domain; one that is not named has the whole limit. */
  siteRoom: (site: string) => number
}

/** An exclusive hold that an item needs. */
export interface Hold {
  kind: 'account' | 'profile' | 'phone' | 'video' | 'proxy'
  resourceId: string
  slot: number
}

/** An item that may begin, with what it will hold. */
export interface Chosen<Item extends Candidate> {
  item: Item
  leases: Hold[]
}

/** Takes items in order, as many as there is room for, so that no two bind the same and no limit is passed. Pure. */
export class Choice<Item extends Candidate> {
  readonly chosen: Chosen<Item>[] = []
  readonly #room: number
  readonly #taken = new Set<string>()
  readonly #slots = new Map<string, number[]>()
  readonly #sites = new Map<string, number>()

  constructor(room: number) {
    this.#room = room
  }

  get isFull(): boolean {
    return this.chosen.length >= this.#room
  }

  weigh(items: readonly Item[], facts: Facts): void {
    for (const item of items) {
      if (this.isFull) return
      const leases = this.#leasesOf(item, facts)
      if (!leases) continue
      for (const { kind, resourceId } of leases)
        if (kind === 'proxy') this.#slotsOf(resourceId, facts)?.shift()
        else this.#taken.add(resourceId)
      for (const site of facts.sitesOf(item)) this.#sites.set(site, this.#left(site, facts) - 1)
      this.chosen.push({ item, leases })
    }
  }

  #leasesOf(item: Item, facts: Facts): Hold[] | null {
    if (facts.blocked.has(item.id)) return null
    const bound = [
      { kind: 'account', resourceId: item.account_id },
      { kind: 'profile', resourceId: item.profile_id },
      { kind: 'phone', resourceId: item.phone_id },
      { kind: 'video', resourceId: item.video_id },
    ] as const
    const leases: Hold[] = bound.flatMap(({ kind, resourceId }) =>
      resourceId ? [{ kind, resourceId, slot: 0 }] : [],
    )
    if (leases.some(({ resourceId }) => this.#taken.has(resourceId))) return null
    if (facts.sitesOf(item).some((site) => this.#left(site, facts) <= 0)) return null
    const slots = item.proxy_id ? this.#slotsOf(item.proxy_id, facts) : undefined
    if (!item.proxy_id || !slots) return leases
    const [slot] = slots
    return slot === undefined ? null : [...leases, { kind: 'proxy', resourceId: item.proxy_id, slot }]
  }

  #slotsOf(proxyId: string, facts: Facts): number[] | undefined {
    const known = this.#slots.get(proxyId)
    const free = facts.slots.get(proxyId)
    if (known || !free) return known
    const slots = [...free]
    this.#slots.set(proxyId, slots)
    return slots
  }

  #left(site: string, facts: Facts): number {
    return this.#sites.get(site) ?? facts.siteRoom(site)
  }
}
