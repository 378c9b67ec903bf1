import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import type { CommentSummary } from '@weft/contract/workflow-comments/schema'
import type { PresentPerson } from '@weft/contract/workflows/presence'
import { emitter, store, type Store } from '../../lib/emitter.ts'
import { BySteps } from './by-steps.ts'

/** Somebody else who has the workflow open, with their colour. */
export interface PersonHere extends PresentPerson {
  hue: number
}

/** What is said about a step. */
export type Said = Pick<CommentSummary['places'][number], 'open' | 'unread'>

/** Which comments somebody wants to see; with `write` they want to say something there. */
export interface CommentsWanted {
  activityId: string | null
  write: boolean
}

const sameSaid = (one: Said, other: Said) => one.open === other.open && one.unread === other.unread
const samePeople = (some: readonly PersonHere[], others: readonly PersonHere[]) =>
  some.length === others.length &&
  some.every(
    ({ userId, hue, displayName }, n) =>
      userId === others[n]?.userId && hue === others[n].hue && displayName === others[n].displayName,
  )

/** What people do together in the workflow that is edited: each part is watched on its own. */
export class Together {
  readonly people: Store<{ people: readonly PersonHere[]; total: number }> = store<{
    people: readonly PersonHere[]
    total: number
  }>({ people: [], total: 0 })
  readonly where = new BySteps<readonly PersonHere[]>([], samePeople)
  readonly said = new BySteps<Said>({ open: 0, unread: 0 }, sameSaid)
  /** Somebody asks for the comments of a step. */
  readonly wanted = emitter<CommentsWanted>()
}

/** What the editor's people do together; it stays the same as long as the editor is there. */
export const TogetherContext = createContext<Together | null>(null)

/** What people do together in the editor around a component. */
export function useTogether(): Together {
  const together = useContext(TogetherContext)
  if (!together) throw new Error('A part of the editor stands outside of it.')
  return together
}

/** What is so at a step. */
export function useAtStep<T>(steps: BySteps<T>, stepId: string): T {
  const subscribe = useCallback((listener: () => void) => steps.subscribe(stepId, listener), [steps, stepId])
  return useSyncExternalStore(subscribe, () => steps.get(stepId))
}
