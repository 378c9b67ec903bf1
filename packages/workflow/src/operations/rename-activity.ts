import { activityIdSchema } from '../document.ts'
import type { WorkflowDocument } from '../document.ts'
import { OperationError } from './error.ts'
import { withRenamedReferences } from './references.ts'
import { requireActivity } from './tree.ts'

/** Gives a step another id; connections and expressions follow. */
export interface RenameActivity {
  kind: 'renameActivity'
  id: string
  newId: string
}

/** Gives a step another id; connections and expressions follow. */
export function renameActivity(document: WorkflowDocument, { id, newId }: RenameActivity): WorkflowDocument {
  requireActivity(document, id)
  if (id === newId) return document
  if (!activityIdSchema.safeParse(newId).success) {
    throw new OperationError('operation.id_invalid', { step: newId })
  }
  if (document.activities.some((activity) => activity.id === newId)) {
    throw new OperationError('operation.id_taken', { step: newId })
  }
  const names = new Map([[id, newId]])
  const renamed = (step: string) => names.get(step) ?? step
  return {
    ...document,
    start: document.start === null ? null : renamed(document.start),
    activities: document.activities.map((activity) => ({
      ...withRenamedReferences(activity, names),
      id: renamed(activity.id),
    })),
    connections: document.connections.map(({ from, outcome, to }) => ({
      from: renamed(from),
      outcome,
      to: renamed(to),
    })),
  }
}
