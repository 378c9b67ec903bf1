import { outcomesOf } from '@weft/workflow/catalogue/catalogue'
import type { Activity, Connection, WorkflowDocument } from '@weft/workflow/document'
import { chainFrom, indexGraph } from '@weft/workflow/graph'

/** The key of the chain that begins at the start. */
export const ROOT = ''

/** The arrangement of a document: for each chain (the root, a body, a loose chain) its steps in order. */
export interface Chains {
  steps: ReadonlyMap<string, readonly string[]>
  /** The chain in which a step stands. */
  placeOf: ReadonlyMap<string, string>
}

/** The key of a container's body. */
export function chainKey(owner: string, outcome: string): string {
  return `${owner}\n${outcome}`
}

/** The container of a chain; none for the root and loose chains. */
export function ownerOf(key: string): string | undefined {
  return key.includes('\n') ? key.split('\n', 1)[0] : undefined
}

/** Reads the arrangement of a document. */
export function chainsOf(document: WorkflowDocument): Chains {
  const graph = indexGraph(document)
  const steps = new Map<string, string[]>()
  const placeOf = new Map<string, string>()
  const read = (key: string, first: string | undefined) => {
    const chain = chainFrom(graph, first)
      .map(({ id }) => id)
      .filter((id) => !placeOf.has(id))
    if (chain.length === 0) return
    steps.set(key, chain)
    for (const id of chain) placeOf.set(id, key)
    for (const id of chain) {
      const activity = graph.byId.get(id)
      for (const { name, kind } of activity ? outcomesOf(activity) : [])
        if (kind === 'body') read(chainKey(id, name), graph.next(id, name))
    }
  }
  read(ROOT, graph.start ?? undefined)
  const loose = document.activities.filter(({ id }) => !placeOf.has(id))
  const heads = loose.filter(({ id }) => graph.incoming(id) === undefined)
  for (const { id } of [...heads, ...loose]) if (!placeOf.has(id)) read(`\t${id}`, id)
  return { steps, placeOf }
}

/** Lines up steps by an arrangement: the start and the connections that say so. */
export function connect(chains: ReadonlyMap<string, readonly string[]>): {
  start: string | null
  connections: Connection[]
} {
  const connections: Connection[] = []
  for (const [key, chain] of chains) {
    const [owner, outcome] = key.split('\n')
    const [first] = chain
    if (owner !== undefined && outcome !== undefined && first !== undefined)
      connections.push({ from: owner, outcome, to: first })
    chain.forEach((from, index) => {
      const to = chain[index + 1]
      if (to !== undefined) connections.push({ from, outcome: 'done', to })
    })
  }
  return { start: chains.get(ROOT)?.[0] ?? null, connections }
}

/** A step and all in its bodies. */
export function subtreeIds(chains: Chains, id: string, byId: ReadonlyMap<string, Activity>): string[] {
  const found: string[] = []
  const visit = (at: string) => {
    if (found.includes(at) || !byId.has(at)) return
    found.push(at)
    for (const [key, chain] of chains.steps) if (ownerOf(key) === at) chain.forEach(visit)
  }
  visit(id)
  return found
}
