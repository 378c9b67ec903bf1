import { useEffect, useRef } from 'react'
import { HUB_INVOCATIONS } from '@weft/contract/core/events'
import { presenceMessageSchema, type PresenceMessage } from '@weft/contract/workflows/presence'
import { hubSay, presenceTold } from '../../../lib/realtime/presence.ts'
import { useLatest } from '../../../lib/use-latest.ts'
import type { PersonHere, Together } from '../together.ts'
import { huesOf } from './hues.ts'
import { WhereaboutsTeller } from './whereabouts-teller.ts'

const NOBODY: Omit<PresenceMessage, 'workflowId'> = { people: [], total: 0 }

/** Says on the hub that this page has a workflow open and where its person is in it, and hears who else has. */
export function usePresence(workflowId: string, stepId: string | null, together: Together): void {
  const teller = useRef<WhereaboutsTeller | null>(null)
  const step = useLatest(stepId)
  useEffect(() => {
    const whereabouts = new WhereaboutsTeller((activityId) =>
      hubSay.get()?.(HUB_INVOCATIONS.present, { workflowId, activityId }),
    )
    teller.current = whereabouts
    whereabouts.at(step.current)
    const hear = presenceTold.on((message) => {
      const told = presenceMessageSchema.safeParse(message)
      if (told.success && told.data.workflowId === workflowId) show(together, told.data)
    })
    const connected = hubSay.subscribe(() => {
      if (hubSay.get()) whereabouts.again()
      // Without a connection nobody knows.
      else show(together, NOBODY)
    })
    return () => {
      whereabouts.stop()
      hear()
      connected()
      hubSay.get()?.(HUB_INVOCATIONS.present, { workflowId: null })
      show(together, NOBODY)
    }
  }, [workflowId, together, step])
  useEffect(() => teller.current?.at(stepId), [stepId])
}

function show(together: Together, { people, total }: Omit<PresenceMessage, 'workflowId'>): void {
  const hues = huesOf(people.map(({ userId }) => userId))
  const here = people.map((person): PersonHere => ({ ...person, hue: hues.get(person.userId) ?? 0 }))
  const atSteps = new Map<string, PersonHere[]>()
  for (const person of here)
    for (const id of person.activityIds) atSteps.set(id, [...(atSteps.get(id) ?? []), person])
  together.people.set({ people: here, total })
  together.where.replace(atSteps)
}
