import { PRESENCE_MOST, type PresenceMessage, type PresentPerson } from '@weft/contract/workflows/presence'
import type { SeenWhereabouts } from './store.ts'

/**
 * Who has a workflow open, as it is told to one of them: several pages of somebody are one person, and nobody is told of
 * themselves.
 */
export function rosterOf(
  workflowId: string,
  seen: readonly SeenWhereabouts[],
  without: string | null,
): PresenceMessage {
  const people = new Map<string, PresentPerson>()
  for (const one of seen) {
    if (one.workflowId !== workflowId || one.userId === without) continue
    const person = people.get(one.userId) ?? {
      userId: one.userId,
      displayName: one.displayName,
      activityIds: [],
    }
    people.set(one.userId, person)
    if (one.stepId !== null && !person.activityIds.includes(one.stepId)) person.activityIds.push(one.stepId)
  }
  return { workflowId, people: [...people.values()].slice(0, PRESENCE_MOST), total: people.size }
}
