/** Long enough for a dialog that closes to give the focus back by itself. */
const WAIT_MS = 80
const FOCUSABLE =
  'a[href], button:not([disabled], [tabindex="-1"]), input:not([disabled], [type=hidden], [tabindex="-1"]), textarea:not([disabled]), [tabindex]:not([tabindex="-1"])'
/** What stands over the page; where the focus was before is what counts. */
const OVER = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** What stands over the page until it is closed. */
const DIALOG = '[role="dialog"][aria-modal]'
/** What keeps the focus to itself while it is open. */
const TRAPS = '[role="dialog"], [role="alertdialog"], [role="menu"]'
/** A control that does what it was pressed for: it cannot be pressed again before that is done. */
const AT_WORK = ':disabled[data-loading]'

/** Where an element stands: itself and what is around it, each with its place among its neighbours. */
type Place = readonly { element: Element; index: number }[]

function placeOf(element: Element): Place {
  const place: { element: Element; index: number }[] = []
  for (let at: Element | null = element; at; at = at.parentElement)
    place.push({ element: at, index: at.parentElement ? [...at.parentElement.children].indexOf(at) : 0 })
  return place
}

/** The control that an element is, or the first in it. */
const controlIn = (element: Element | undefined) =>
  element?.matches(FOCUSABLE) ? element : element?.querySelector(FOCUSABLE)

/** What the focus may go to: the element itself; what has come to stand in its place, or beside it; then whatever is near. */
function* near(place: Place): Generator<Element | null | undefined> {
  const left = place.findIndex(({ element }) => element.isConnected)
  const found = place[left]?.element
  if (left > 0) {
    const children = found?.children ?? []
    yield controlIn(children[Math.min(place[left - 1]?.index ?? 0, children.length - 1)])
  } else if (!found?.matches(':disabled')) yield found
  for (const { element } of place.slice(Math.max(left, 0))) {
    if (element === document.body) continue
    // The page's content itself, rather than the first thing of a page that is another by now.
    yield element.matches('main') ? element : controlIn(element)
    if (left > 0) continue
    for (let at = element.nextElementSibling; at; at = at.nextElementSibling) yield controlIn(at)
    for (let at = element.previousElementSibling; at; at = at.previousElementSibling) yield controlIn(at)
  }
}

/** Whether it was disabled for as long as it works, or with the rest of a form that is sent. */
function isAtWork(element: Element): boolean {
  return element.matches(AT_WORK) || Boolean(element.closest('form')?.querySelector(AT_WORK))
}

/** Nothing has the focus, or something that cannot be used: it will have lost it when the page is drawn. */
function isLost(): boolean {
  const at = document.activeElement
  return at === null || at === document.body || at.matches(':disabled')
}

/**
 * Keeps the keyboard's focus in the page, beginning where it is: when what had it goes away, as a deleted row or a closed
 * form does, the focus goes to where it came from or to what stands there now; in a dialog that is open below, too. A
 * button that is disabled while it works has it back afterwards; if it stays disabled, its neighbour has. Who uses a
 * pointer on the page is left alone but for that, until the next key. The answer ends it.
 */
export function keepFocus(): () => void {
  let last: Place | undefined
  // Where the focus was last within each of what stands over the page: one may close over another.
  const within = new WeakMap<Element, Place>()
  // Where it was last at all, and in which of them.
  let latest: Place | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const remember = (target: EventTarget | null) => {
    if (!(target instanceof Element) || target === document.body) return
    latest = placeOf(target)
    const dialog = target.closest(DIALOG)
    if (dialog) within.set(dialog, latest)
    else if (!target.closest(OVER)) last = latest
  }
  let byPointer = false
  const onKey = () => {
    byPointer = false
  }
  const onFocus = ({ target }: FocusEvent) => remember(target)
  // A click in a dialog says nothing about where the focus was on the page below it.
  const forget = ({ target }: Event) => {
    byPointer = true
    latest = undefined
    if (!(target instanceof Element && target.closest(OVER))) last = undefined
  }
  const whence = (): Place | undefined => {
    // A small window stands over dialogs too.
    const popup = latest?.find(({ element }) => element.isConnected)?.element.closest(TRAPS)
    if (popup && !popup.matches(DIALOG)) return latest
    const dialog = [...document.querySelectorAll(DIALOG)].at(-1)
    if (dialog) return within.get(dialog)
    // A page that has just come stays where it is.
    return document.querySelector(TRAPS) ? undefined : last
  }
  const look = () => {
    if (timer || !isLost()) return
    timer = setTimeout(() => {
      timer = undefined
      const place = isLost() ? whence() : undefined
      if (!place || (place[0] && isAtWork(place[0].element))) return
      const isOnPage = !document.querySelector(TRAPS)
      const preventScroll = !document.querySelector(DIALOG)
      for (const control of near(place)) {
        // A pointer's next click goes anywhere; only within what stands over the page the keys for it need the focus.
        if (byPointer && isOnPage && control !== place[0]?.element) return
        if (!(control instanceof HTMLElement)) continue
        control.focus({ preventScroll })
        if (document.activeElement === control) return
      }
    }, WAIT_MS)
  }
  remember(document.activeElement)
  const changes = new MutationObserver(look)
  changes.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'data-loading'],
  })
  addEventListener('focusin', onFocus)
  addEventListener('pointerdown', forget, true)
  addEventListener('keydown', onKey, true)
  return () => {
    clearTimeout(timer)
    changes.disconnect()
    removeEventListener('focusin', onFocus)
    removeEventListener('pointerdown', forget, true)
    removeEventListener('keydown', onKey, true)
  }
}
