import { useLayoutEffect, type Ref } from 'react'

/**
 * Stands in a popup for what it opens beside, which is drawn elsewhere and stays when the popup comes and goes: an element
 * or, by its id, a button.
 */
export function Anchor({ ref, to }: { ref?: Ref<HTMLElement>; to: string | HTMLElement }) {
  useLayoutEffect(() => {
    const button = typeof to === 'string' ? document.getElementById(to) : to
    if (typeof ref === 'function') ref(button)
    else if (ref) ref.current = button
  }, [ref, to])
  return null
}
