import type { Activity } from '@weft/workflow/document'
import { ROOT } from './chains.ts'
import { same } from './same.ts'
import type { Sided } from './steps.ts'

/** A merged arrangement, or undefined where both sides arranged the same steps in different ways. */
export type MergedOrder = Map<string, string[]> | undefined

/** The arrangement of one side with only the steps that are kept. */
export function orderOf(side: Sided, kept: ReadonlyMap<string, Activity>): Map<string, string[]> {
  const chains = new Map<string, string[]>()
  for (const [key, chain] of side.chains.steps) {
    const here = chain.filter((id) => kept.has(id))
    if (here.length > 0) chains.set(key, here)
  }
  return chains
}

/** Merges the arrangement: the place of each step first, then the order within each chain. */
export function mergeOrder(
  base: Sided,
  mine: Sided,
  theirs: Sided,
  kept: ReadonlyMap<string, Activity>,
): MergedOrder {
  const places = new Map<string, string>()
  for (const id of kept.keys()) {
    const [before, own, other] = [base, mine, theirs].map(({ chains }) => chains.placeOf.get(id))
    if (own !== undefined && other !== undefined && own !== other && own !== before && other !== before)
      return undefined
    const place = own === undefined || (own === before && other !== undefined) ? other : own
    places.set(id, place ?? ROOT)
  }
  const merged = new Map<string, string[]>()
  for (const key of new Set(places.values())) {
    const isHere = (id: string) => places.get(id) === key
    const chain = mergeChain(
      ...([base, mine, theirs].map(({ chains }) => (chains.steps.get(key) ?? []).filter(isHere)) as [
        string[],
        string[],
        string[],
      ]),
    )
    if (!chain) return undefined
    merged.set(key, chain)
  }
  return merged
}

/** Merges two orders of a chain: the reordered side is the backbone, and what the other added goes after what it followed. */
function mergeChain(base: string[], mine: string[], theirs: string[]): string[] | undefined {
  const common = mine.filter((id) => theirs.includes(id))
  const inTheirs = theirs.filter((id) => mine.includes(id))
  const inBase = base.filter((id) => common.includes(id))
  const mineMoved = !same(
    inBase,
    common.filter((id) => base.includes(id)),
  )
  const theirsMoved = !same(
    inBase,
    inTheirs.filter((id) => base.includes(id)),
  )
  if (mineMoved && theirsMoved && !same(common, inTheirs)) return undefined
  const [backbone, additions] = mineMoved ? [mine, theirs] : [theirs, mine]
  const result = [...backbone]
  additions.forEach((id, index) => {
    if (result.includes(id)) return
    const before = additions.slice(0, index).findLast((other) => result.includes(other))
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, id)
  })
  return result
}
