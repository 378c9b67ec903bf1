import type { WorkflowDocument } from '../document.ts'
import { detach, requireActivity, subtreeIds } from './tree.ts'

/** Removes a step with everything in its bodies; its chain closes over it. */
export interface RemoveActivity {
  kind: 'removeActivity'
  id: string
}

/** Removes a step with everything in its bodies; its chain closes over it. */
export function removeActivity(document: WorkflowDocument, { id }: RemoveActivity): WorkflowDocument {
  requireActivity(document, id)
  const gone = subtreeIds(document, id)
  const detached = detach(document, id)
  return {
    ...detached,
    activities: detached.activities.filter((activity) => !gone.has(activity.id)),
    connections: detached.connections.filter(({ from, to }) => !gone.has(from) && !gone.has(to)),
    start: detached.start !== null && gone.has(detached.start) ? null : detached.start,
  }
}
