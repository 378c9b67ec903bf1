import { CUSTOM_ACTIVITY } from './catalogue/flow.ts'
import type { Activity, WorkflowDocument } from './document.ts'
import { isJsonObject } from './json.ts'

/** A step that runs another document within its run: a workflow's release, or the body of a custom activity. */
export interface Call {
  kind: 'workflow' | 'activity'
  /** The workflow, or the custom activity. */
  id: string
  /** The release or version; null for the newest. */
  number: number | null
  /** The names of the inputs that it gives. */
  given: string[]
}

/** What a step calls; undefined for one that calls nothing, or does not say what. */
export function callOf({ type, state }: Pick<Activity, 'type' | 'state'>): Call | undefined {
  const custom = type === CUSTOM_ACTIVITY
  if (!custom && type !== 'call-workflow') return undefined
  const id = state[custom ? 'activityId' : 'workflowId']
  const number = state[custom ? 'version' : 'release']
  if (typeof id !== 'string' || id === '') return undefined
  const { inputs } = state
  return {
    kind: custom ? 'activity' : 'workflow',
    id,
    number: typeof number === 'number' ? number : null,
    given: Array.isArray(inputs)
      ? inputs.flatMap((row) => (isJsonObject(row) && typeof row['name'] === 'string' ? [row['name']] : []))
      : [],
  }
}

/** The activity that a step is of: a type of the catalogue, or the id of a custom one. */
export function activityOf(activity: Pick<Activity, 'type' | 'state'>): string {
  const call = callOf(activity)
  return call?.kind === 'activity' ? call.id : activity.type
}

/** A call with the step that makes it. */
export interface PlacedCall extends Call {
  stepId: string
  /** Where among the document's steps. */
  index: number
}

/** Everything that a document calls. Disabled steps do not count. */
export function callsIn({ activities }: WorkflowDocument): PlacedCall[] {
  return activities.flatMap((activity, index) => {
    const call = activity.disabled ? undefined : callOf(activity)
    return call ? [{ ...call, stepId: activity.id, index }] : []
  })
}
