import type { Activity, WorkflowDocument } from '../document.ts'
import { insertChain, withActivities } from './tree.ts'
import type { Place } from './tree.ts'

/** Puts a new step at a place. */
export interface AddActivity {
  kind: 'addActivity'
  activity: Activity
  place: Place
}

/** Puts a new step at a place. */
export function addActivity(document: WorkflowDocument, { activity, place }: AddActivity): WorkflowDocument {
  return insertChain(withActivities(document, [activity]), activity.id, activity.id, place)
}
