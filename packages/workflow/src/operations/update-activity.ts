import type { Activity, WorkflowDocument } from '../document.ts'
import { requireActivity } from './tree.ts'

/** Changes what a step is, but not where it stands. A change to `undefined` takes the value away. */
export interface UpdateActivity {
  kind: 'updateActivity'
  id: string
  changes: Partial<Omit<Activity, 'id' | 'type'>>
}

/** Changes what a step is, but not where it stands. */
export function updateActivity(
  document: WorkflowDocument,
  { id, changes }: UpdateActivity,
): WorkflowDocument {
  requireActivity(document, id)
  const update = (activity: Activity): Activity => {
    const changed: Activity = { ...activity, ...changes, state: changes.state ?? activity.state }
    if (changed.name === undefined) delete changed.name
    if (changed.timeLimitSeconds === undefined) delete changed.timeLimitSeconds
    if (changed.retry === undefined) delete changed.retry
    if (changed.disabled === undefined) delete changed.disabled
    if (changed.position === undefined) delete changed.position
    return changed
  }
  return {
    ...document,
    activities: document.activities.map((activity) => (activity.id === id ? update(activity) : activity)),
  }
}
