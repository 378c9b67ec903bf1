import { createContext } from 'react'
import type { Json } from '@weft/workflow/json'

/** A way to fill a field of targets by pointing at an element. */
export interface TargetPicker {
  /** What its button says. */
  label: string
  /** Somebody comes near the button. */
  prepare: () => void
  /** Has an element pointed at; `use` is given the targets that were chosen for it. */
  pick: (use: (targets: Json) => void) => void
}

/** The picker of the forms below; null where there is nothing to point at. */
export const PickTargets = createContext<TargetPicker | null>(null)
