import { useEffect } from 'react'

/** Long enough for a dialog that closes to give the focus back by itself. */
const WAIT_MS = 80
const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), [tabindex]:not([tabindex="-1"])'
/** What stands over the page; where the focus was before is what counts. */
const OVER = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** What keeps the focus to itself while it is open. */
const TRAPS = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** Where an element stands: itself and what is around it, each with its place among its neighbours. */
type Place = readonly { element: Element; index: number }[]

function placeOf(element: Element): Place {
  const place: { element: Element; index: number }[] = []
  for (let at: Element | null = element; at; at = at.parentElement)
    place.push({ element: at, index: at.parentElement ? [...at.parentElement.children].indexOf(at) : 0 })
  return place
}

/** The element itself if it is still there; else what has come to stand in its place; else whatever is near. */
function nearest(place: Place): HTMLElement | undefined {
  const left = place.findIndex(({ element }) => element.isConnected)
  const found = place[left]?.element
  if (!found) return undefined
  if (left === 0) return found instanceof HTMLElement ? found : undefined
  const { children } = found
  const successor = children[Math.min(place[left - 1]?.index ?? 0, children.length - 1)]
  for (const near of [successor, ...place.slice(left).map(({ element }) => element)]) {
    if (!near || near === document.body) continue
    // The page's content itself, rather than the first thing of a page that is another by now.
    if (near instanceof HTMLElement && near.matches('main')) return near
    const control = near.matches(FOCUSABLE) ? near : near.querySelector(FOCUSABLE)
    if (control instanceof HTMLElement) return control
  }
  return undefined
}

/**
 * Keeps the keyboard's focus in the page: when what had it goes away, as a deleted row or a closed form does, the focus
 * goes to where it came from or to what stands there now. Who uses a pointer is left alone.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Place | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element && target !== document.body && !target.closest(OVER))
        last = placeOf(target)
    }
    const forget = () => {
      last = undefined
    }
    const look = () => {
      if (!last || timer || document.activeElement !== document.body) return
      timer = setTimeout(() => {
        timer = undefined
        if (!last || document.activeElement !== document.body || document.querySelector(TRAPS)) return
        nearest(last)?.focus()
      }, WAIT_MS)
    }
    const changes = new MutationObserver(look)
    changes.observe(document.body, { childList: true, subtree: true })
    addEventListener('focusin', remember)
    addEventListener('pointerdown', forget, true)
    return () => {
      clearTimeout(timer)
      changes.disconnect()
      removeEventListener('focusin', remember)
      removeEventListener('pointerdown', forget, true)
    }
  }, [])
}
