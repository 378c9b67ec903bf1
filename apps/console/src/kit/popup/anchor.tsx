import { useLayoutEffect, type Ref } from 'react'
import type { PopupParts } from './popup.tsx'

/** Stands in a popup for its button, which is drawn elsewhere and stays when the popup comes and goes. */
export function Anchor({ ref, to }: { ref?: Ref<HTMLElement>; to: string }) {
  useLayoutEffect(() => {
    const button = document.getElementById(to)
    if (typeof ref === 'function') ref(button)
    else if (ref) ref.current = button
  }, [ref, to])
  return null
}

/** Gives the focus back to the button of a popup that closes, unless it has gone somewhere on purpose. */
export function giveBackFocus({ id }: PopupParts): void {
  const at = document.activeElement
  if (at === null || at === document.body || document.getElementById(`${id}-dropdown`)?.contains(at))
    document.getElementById(id)?.focus({ preventScroll: true })
}
