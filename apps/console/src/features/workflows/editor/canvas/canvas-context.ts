import { createContext, useContext, type MouseEvent, type RefObject } from 'react'
import type { Place } from '@weft/workflow/operations'

/** What the pieces of the canvas ask of it. */
export interface CanvasActs {
  /** Asks which activity is to be put at a place. */
  add: (place: Place) => void
  fold: (key: string) => void
  /** Brings the focus to the heading of a body. */
  focus: (key: string) => void
  /** Opens the menu of a step. */
  menu: (stepId: string, event: MouseEvent) => void
  readOnly: boolean
  rtl: boolean
  /** Whether the keyboard is on the canvas. */
  hasFocus: RefObject<boolean>
}

/** The canvas around its pieces. */
export const CanvasContext = createContext<CanvasActs | null>(null)

/** What a piece of the canvas may do. */
export function useCanvas(): CanvasActs {
  const acts = useContext(CanvasContext)
  if (!acts) throw new Error('A piece of the canvas stands outside of it.')
  return acts
}
