import type { CDPSession, ElementHandle, Frame, Page } from 'playwright-core'

/** An element of a page, and the frames around it. */
export interface Found {
  element: ElementHandle<Element>
  frame: Frame
  /** The elements of the frames that hold it, the outermost first. */
  frames: ElementHandle<Element>[]
}

/** Frames within frames are followed so deep. */
const DEEPEST = 8

/** The element at a place of the window, within frames and open shadow roots too. */
export async function elementAt(page: Page, at: { x: number; y: number }): Promise<Found | undefined> {
  let place = at
  return descend(page, async (frame, outer) => {
    if (outer) {
      const corner = await outer.evaluate((node) => {
        const { left, top } = node.getBoundingClientRect()
        const style = getComputedStyle(node)
        return {
          x: left + node.clientLeft + Number.parseFloat(style.paddingLeft),
          y: top + node.clientTop + Number.parseFloat(style.paddingTop),
        }
      })
      place = { x: place.x - corner.x, y: place.y - corner.y }
    }
    const handle = await frame.evaluateHandle(({ x, y }) => {
      let found = document.elementFromPoint(x, y)
      for (;;) {
        const inner = found?.shadowRoot?.elementFromPoint(x, y) ?? null
        if (inner === null || inner === found) return found
        found = inner
      }
    }, place)
    return handle.asElement()
  })
}

/** The element that keys go to; undefined where that is the page itself. */
export async function focusedElement(page: Page): Promise<Found | undefined> {
  const found = await descend(page, async (frame) => {
    const handle = await frame.evaluateHandle(() => {
      let focused = document.activeElement
      while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
      return focused === document.body || focused === document.documentElement ? null : focused
    })
    return handle.asElement()
  })
  return found
}

/**
 * Whether what has the focus is within a part that its page keeps closed: the page then names the element around that part,
 * which could not have the focus itself.
 */
export function isFocusHidden({ element }: Found): Promise<boolean> {
  return element.evaluate((node) => {
    const named = node.tagName.includes('-')
    const holds =
      named ||
      'article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span'
        .split(' ')
        .includes(node.tagName.toLowerCase())
    if (!holds || node.shadowRoot || (node instanceof HTMLElement && node.isContentEditable)) return false
    if (!node.matches(':focus')) return node.matches(':focus-within')
    return named && !node.hasAttribute('tabindex')
  })
}

/** Whether what is drawn at a place of the window is within a part that its page keeps closed. */
export async function isHiddenAt(
  page: Page,
  cdp: CDPSession,
  { x, y }: { x: number; y: number },
): Promise<boolean> {
  const scrolled = await page.evaluate(() => ({ x: scrollX, y: scrollY }))
  const { backendNodeId } = await cdp.send('DOM.getNodeForLocation', {
    x: Math.round(x + scrolled.x),
    y: Math.round(y + scrolled.y),
  })
  const { object } = await cdp.send('DOM.resolveNode', { backendNodeId })
  if (object.objectId === undefined) return false
  const { objectId } = object
  try {
    const { result } = await cdp.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function () {
        for (let root = this.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
          if (root.mode === 'closed') return true
        return false
      }`,
      returnByValue: true,
    })
    return result.value === true
  } finally {
    await cdp.send('Runtime.releaseObject', { objectId }).catch(() => undefined)
  }
}

/** Looks in a page, and again within the frame that was found there. */
async function descend(
  page: Page,
  look: (frame: Frame, outer: ElementHandle<Element> | undefined) => Promise<ElementHandle<Element> | null>,
): Promise<Found | undefined> {
  const frames: ElementHandle<Element>[] = []
  let frame = page.mainFrame()
  for (;;) {
    const element = await look(frame, frames.at(-1))
    if (!element) return undefined
    const inner = frames.length < DEEPEST ? await element.contentFrame() : null
    if (!inner) return { element, frame, frames }
    frames.push(element)
    frame = inner
  }
}

/** The element that is meant where one is pressed: the button around an icon, the box that a label belongs to. */
export async function pressableOf(found: Found): Promise<Found> {
  const handle = await found.element.evaluateHandle((start) => {
    const parentOf = (node: Element): Element | null => {
      const root = node.getRootNode()
      return node.assignedSlot ?? node.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
    }
    const roles = new Set(
      'button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem combobox textbox searchbox'.split(
        ' ',
      ),
    )
    for (let node: Element | null = start; node; node = parentOf(node)) {
      if (node instanceof HTMLLabelElement && node.control) return node.control
      if (
        node.matches('a[href],area[href],button,input,select,textarea,summary') ||
        roles.has(node.getAttribute('role') ?? '') ||
        (node instanceof HTMLElement && node.isContentEditable && !node.parentElement?.isContentEditable)
      )
        return node
    }
    return start
  })
  return { ...found, element: handle.asElement() ?? found.element }
}

/** Whether two handles are of one element. */
export async function isSame(a: ElementHandle<Element>, b: ElementHandle<Element>): Promise<boolean> {
  try {
    return await a.evaluate((one, other) => one === other, b)
  } catch {
    // Of two pages, or gone.
    return false
  }
}
