import { expect, type Locator, type Page } from '@playwright/test'

/** Most presses of Tab from one end of a page to the other. */
const FAR = 120

/** Somebody without a pointer: goes by Tab, and sees to it at each stop that the focus is there and can be seen. */
export class Keyboard {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Presses keys one after another; each time the focus must be somewhere that shows it. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key)
      await this.seen()
    }
  }

  /** Goes on by Tab, or by another key, until the focus is there. */
  async to(target: Locator, key: 'Tab' | 'Shift+Tab' | 'ArrowDown' = 'Tab'): Promise<void> {
    await target.waitFor()
    for (let presses = 0; presses < FAR; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await this.press(key)
    }
    throw new Error(`the keyboard does not come to ${target.toString()}`)
  }

  /** Goes to a field and writes there, over what it holds. */
  async write(target: Locator, words: string): Promise<void> {
    await this.to(target)
    await this.page.keyboard.press('Control+A')
    await this.page.keyboard.type(words)
    await expect(target).toHaveValue(words)
  }

  /** The focus is on something that is in sight and marked. */
  async seen(): Promise<void> {
    await expect.poll(() => this.page.evaluate(focusProblem)).toBe('')
  }
}

/** What is wrong with the focus, in the page. */
function focusProblem(): string {
  const at = document.activeElement
  if (!at || at === document.body || !(at instanceof HTMLElement)) return 'the focus is nowhere'
  const name = `${at.tagName.toLowerCase()} "${at.getAttribute('aria-label') ?? at.textContent.trim().slice(0, 40)}"`
  // A switch, a box or one of several words draws its mark beside the control that has the focus, which has no size there.
  const marks = [at, at.parentElement, at.nextElementSibling].filter((part) => part instanceof HTMLElement)
  const isInSight = (part: Element) => {
    const { width, height, top, bottom } = part.getBoundingClientRect()
    return width > 0 && height > 0 && bottom >= 0 && top <= innerHeight
  }
  if (!marks.some(isInSight)) return `${name} is out of sight`
  const marked = marks.some((part) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part)
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  })
  // A field that is written in shows its caret and the colour of its edge; a message is only read.
  const writes = at.matches('input:not([type=checkbox], [type=radio]), textarea')
  const isRead = at.matches('[role=alert], [role=dialog], [role=menu], [role=tree], main, section')
  return marked || writes || isRead ? '' : `${name} does not show that it has the focus`
}
