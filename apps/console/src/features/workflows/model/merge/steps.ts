import type { Activity, WorkflowDocument } from '@weft/workflow/document'
import { chainsOf, ownerOf, subtreeIds } from './chains.ts'
import type { Chains } from './chains.ts'
import type { Choices, Conflict } from './conflict.ts'
import { pick } from './named.ts'
import { same } from './same.ts'

/** A document with its arrangement and its steps by id. */
export interface Sided {
  document: WorkflowDocument
  chains: Chains
  byId: ReadonlyMap<string, Activity>
}

/** Indexes a document for merging. */
export function sided(document: WorkflowDocument): Sided {
  return {
    document,
    chains: chainsOf(document),
    byId: new Map(document.activities.map((activity) => [activity.id, activity])),
  }
}

/** A container and all in it as one value, to see whether anything of it changed. */
function wholeOf(side: Sided, id: string): unknown {
  return subtreeIds(side.chains, id, side.byId).map((inner) => [
    side.byId.get(inner),
    [...side.chains.steps].filter(([key]) => ownerOf(key) === inner),
  ])
}

/**
 * Merges the steps, not yet their order. A deleted container takes its content with it; if the other side changed
 * anything in there, that is one conflict about the container.
 */
export function mergeSteps(
  base: Sided,
  mine: Sided,
  theirs: Sided,
  choices: Choices,
): { kept: Map<string, Activity>; conflicts: Conflict[] } {
  const kept = new Map<string, Activity>()
  const conflicts: Conflict[] = []
  const dropped = new Set<string>()
  const rescued = new Set<string>()

  const settleDeletions = (gone: Sided, stays: Sided, side: 'mine' | 'theirs') => {
    for (const id of stays.byId.keys()) {
      if (!base.byId.has(id) || gone.byId.has(id)) continue
      const owner = ownerOf(stays.chains.placeOf.get(id) ?? '')
      // The content of a deleted container is settled with the container.
      if (owner !== undefined && base.byId.has(owner) && !gone.byId.has(owner)) continue
      const inner = subtreeIds(stays.chains, id, stays.byId).filter((one) => !gone.byId.has(one))
      const changed = !same(wholeOf(base, id), wholeOf(stays, id))
      const key = `step:${id}`
      if (changed) {
        const whole = stays.byId.get(id) ?? null
        conflicts.push({
          kind: 'step',
          key,
          id,
          mine: side === 'mine' ? null : whole,
          theirs: side === 'theirs' ? null : whole,
        })
      }
      const stay = changed && (choices[key] ?? 'mine') !== side
      for (const one of inner) (stay ? rescued : dropped).add(one)
    }
  }
  settleDeletions(mine, theirs, 'mine')
  settleDeletions(theirs, mine, 'theirs')

  for (const id of new Set([...mine.byId.keys(), ...theirs.byId.keys()])) {
    if (dropped.has(id) && !rescued.has(id)) continue
    const [before, own, other] = [base.byId.get(id), mine.byId.get(id), theirs.byId.get(id)]
    if (!own || !other) {
      const only = own ?? other
      if (only) kept.set(id, only)
      continue
    }
    const { value, clash } = pick<Activity | undefined>(before, own, other)
    const key = `step:${id}`
    if (clash) conflicts.push({ kind: 'step', key, id, mine: own, theirs: other })
    kept.set(id, clash && choices[key] === 'theirs' ? other : (value ?? own))
  }
  return { kept, conflicts }
}
