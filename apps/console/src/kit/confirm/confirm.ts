import type { ReactNode } from 'react'
import { store } from '../../lib/emitter.ts'

/** What a question shows. */
export interface Question {
  title?: string
  /** The thing that it is about, by its name. */
  name?: string
  /** What is going to happen, before the name. */
  action?: string
  text?: string
  /** Shown below the text; `block` says whether the answer cannot be yes for now, and what the button for it says. */
  body?: (block: (blocked: boolean, label?: string) => void) => ReactNode
  /** What is done on yes; where it fails, that is said and the question stays. */
  run?: () => Promise<unknown>
  confirmLabel?: string
  cancelLabel?: string
  danger?: boolean
}

/** A question that is asked now. */
export interface Asked extends Question {
  answer: (yes: boolean) => void
}

/** The question that is open. */
export const asked = store<Asked | null>(null)

/** Asks "Are you sure?" and waits for the answer. A second question answers the first with no. */
export function confirm(question: Question): Promise<boolean> {
  asked.get()?.answer(false)
  return new Promise((resolve) => {
    asked.set({
      ...question,
      answer: (yes) => {
        asked.set(null)
        resolve(yes)
      },
    })
  })
}
