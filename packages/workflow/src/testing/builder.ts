import { emptyDocument } from '../document.ts'
import type { Activity, WorkflowDocument } from '../document.ts'
import type { JsonObject } from '../json.ts'

/** A step and its bodies, written as a tree, for tests. */
export interface StepSketch extends Partial<Omit<Activity, 'state'>> {
  id: string
  type: string
  state?: JsonObject
  bodies?: Record<string, StepSketch[]>
}

/** Makes a document from a tree of steps. */
export function sketch(steps: StepSketch[], rest: Partial<WorkflowDocument> = {}): WorkflowDocument {
  const document: WorkflowDocument = { ...emptyDocument(), ...rest, activities: [], connections: [] }
  document.start = steps[0]?.id ?? null
  const place = (chain: StepSketch[]) => {
    chain.forEach(({ bodies, state, ...activity }, index) => {
      document.activities.push({ typeVersion: 1, ...activity, state: state ?? {} })
      const next = chain[index + 1]
      if (next) document.connections.push({ from: activity.id, outcome: 'done', to: next.id })
      for (const [outcome, body] of Object.entries(bodies ?? {})) {
        const [first] = body
        if (first) document.connections.push({ from: activity.id, outcome, to: first.id })
        place(body)
      }
    })
  }
  place(steps)
  return document
}
