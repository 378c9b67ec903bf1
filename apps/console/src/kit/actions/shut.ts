import type { MouseEvent } from 'react'

type Press = (event: MouseEvent<HTMLButtonElement>) => void

/**
 * What a button has that may be shut while it has the focus. Not `disabled`: the focus would be lost, or go on to a
 * neighbour that may do the opposite; so it says that it is shut, and a press does nothing.
 */
export const shutIf = (isShut: boolean, press: Press) =>
  isShut ? { 'aria-disabled': true, 'data-disabled': true, onClick: doNothing } : { onClick: press }

const doNothing = () => {}
