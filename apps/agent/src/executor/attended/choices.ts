import type { ElementHandle, Frame, Page } from 'playwright-core'
import type { Box, Choice } from '@weft/contract/attended-runs/watched'
import { elementAt, pressableOf, type Found } from './element.ts'

const OPTIONS_MOST = 1000
/** The page may hold up what is chosen in it; nobody waits longer. */
const CHOOSE_MS = 3000

/** A drop-down list that a person has opened. */
interface Open {
  choice: Choice
  found: Found
}

/**
 * Drop-down lists. A browser draws theirs in a window of its own, which no picture shows: so the press that would open one is
 * kept back, its options are told, and what is chosen is set as if it had been chosen there.
 */
export class Choices {
  readonly #size: () => { width: number; height: number }
  readonly #changed: () => void
  #open: Open | undefined
  #count = 0

  constructor(options: { size: () => { width: number; height: number }; changed: () => void }) {
    this.#size = options.size
    this.#changed = options.changed
  }

  /** The list that is open, to be drawn. */
  get shown(): Choice | undefined {
    return this.#open?.choice
  }

  /** The page or the frame that the list is in went on: it means nothing any more. */
  gone(frame: Frame): void {
    const found = this.#open?.found
    if (found && (frame === found.frame || frame.parentFrame() === null)) this.close()
  }

  /** The element whose list is open. */
  get found(): Found | undefined {
    return this.#open?.found
  }

  /** Closes the list; whether one was open. */
  close(): boolean {
    if (!this.#open) return false
    this.#open = undefined
    this.#changed()
    return true
  }

  /** Opens the list at a place, if there is one; then the press is not to be played. */
  async openAt(page: Page, at: { x: number; y: number }, signal: AbortSignal): Promise<boolean> {
    const there = await elementAt(page, at)
    if (!there) return false
    const found = await pressableOf(there)
    const { element } = found
    const read = await element.evaluate(
      (node, most) =>
        node instanceof HTMLSelectElement && !node.multiple && node.size <= 1 && !node.disabled
          ? {
              label: (node.labels[0]?.textContent ?? node.getAttribute('aria-label') ?? node.name).trim(),
              options: [...node.options].slice(0, most).map((option) => ({
                text: option.label.slice(0, 200),
                disabled:
                  option.disabled || (option.parentElement as HTMLOptGroupElement | null)?.disabled === true,
                selected: option.selected,
              })),
            }
          : null,
      OPTIONS_MOST,
    )
    const box = read && (await boxOf(element, this.#size()))
    if (!read || !box) return false
    signal.throwIfAborted()
    await element.evaluate((node) => node instanceof HTMLElement && node.focus())
    signal.throwIfAborted()
    this.#count += 1
    this.#open = {
      found,
      choice: { number: this.#count, box, label: read.label.slice(0, 200), options: read.options },
    }
    this.#changed()
    return true
  }

  /** Sets what was chosen in the list that is open, and closes it. */
  async choose(list: number, [index]: readonly number[]): Promise<void> {
    const open = this.#open
    if (!open || open.choice.number !== list) return
    this.close()
    if (index !== undefined) await open.found.element.selectOption({ index }, { timeout: CHOOSE_MS })
  }
}

/** Where an element is in the picture, as shares of it. */
export async function boxOf(
  element: ElementHandle<Element>,
  { width, height }: { width: number; height: number },
): Promise<Box | null> {
  const box = await element.boundingBox()
  return box && { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height }
}
