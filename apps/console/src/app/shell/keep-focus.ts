/** Long enough for a dialog that closes to give the focus back by itself. */
const WAIT_MS = 80
const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), [tabindex]:not([tabindex="-1"])'
/** What stands over the page; where the focus was before is what counts. */
const OVER = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** What stands over the page until it is closed. */
const DIALOG = '[role="dialog"][aria-modal]'
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
 * Keeps the keyboard's focus in the page, beginning where it is: when what had it goes away, as a deleted row or a closed
 * form does, the focus goes to where it came from or to what stands there now; in a dialog that is open below, too. Who
 * uses a pointer on the page is left alone. The answer ends it.
 */
export function keepFocus(): () => void {
  let last: Place | undefined
  // Where the focus was last within each dialog: one may close over another.
  const within = new WeakMap<Element, Place>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const remember = (target: EventTarget | null) => {
    if (!(target instanceof Element) || target === document.body) return
    const dialog = target.closest(DIALOG)
    if (dialog) within.set(dialog, placeOf(target))
    else if (!target.closest(OVER)) last = placeOf(target)
  }
  const onFocus = ({ target }: FocusEvent) => remember(target)
  // A click in a dialog says nothing about where the focus was on the page below it.
  const forget = ({ target }: Event) => {
    if (!(target instanceof Element && target.closest(OVER))) last = undefined
  }
  const look = () => {
    if (timer || document.activeElement !== document.body) return
    timer = setTimeout(() => {
      timer = undefined
      if (document.activeElement !== document.body) return
      const dialog = [...document.querySelectorAll(DIALOG)].at(-1)
      const place = dialog ? within.get(dialog) : document.querySelector(TRAPS) ? undefined : last
      // A page that has just come stays where it is.
      if (place) nearest(place)?.focus({ preventScroll: !dialog })
    }, WAIT_MS)
  }
  remember(document.activeElement)
  const changes = new MutationObserver(look)
  changes.observe(document.body, { childList: true, subtree: true })
  addEventListener('focusin', onFocus)
  addEventListener('pointerdown', forget, true)
  return () => {
    clearTimeout(timer)
    changes.disconnect()
    removeEventListener('focusin', onFocus)
    removeEventListener('pointerdown', forget, true)
  }
}
