import type { FrameLocator, Locator, Page } from 'playwright-core'
import { StepError } from '@weft/workflow/errors'
import { describeTarget, framesOf, type Target } from '@weft/workflow/targets'
import type { StepTime } from '../step-time.ts'

/** What an element must be to count. */
export type Wanted = 'visible' | 'attached'

const POLL_MS = 100

/**
 * Where a target is looked for: in the page, or in a frame of it. A selector before the last that means something else than
 * a frame now is the first part of a chain within one document.
 */
async function rootOf(page: Page, frame: string | undefined): Promise<Page | FrameLocator> {
  let root: Page | FrameLocator = page
  let chain = ''
  const selectors = frame === undefined ? [] : framesOf(frame)
  for (const [index, selector] of selectors.entries()) {
    chain = chain === '' ? selector : `${chain} >> ${selector}`
    if (index < selectors.length - 1 && (await isNoFrame(root.locator(chain)))) continue
    root = root.frameLocator(chain)
    chain = ''
  }
  return root
}

/** Whether there is something and none of it is a frame. */
async function isNoFrame(found: Locator): Promise<boolean> {
  try {
    return await found.evaluateAll(
      (all) => all.length > 0 && !all.some((one) => /^i?frame$/i.test(one.tagName)),
    )
  } catch {
    // The page goes on to another one just now. What is wrong with a selector is said by the look that follows.
    return false
  }
}

/** All elements that a target means, as the page is now. */
export async function locatorOf(page: Page, target: Target): Promise<Locator> {
  const root = await rootOf(page, target.frame)
  switch (target.by) {
    case 'role':
      // Playwright takes any role that ARIA knows; an unknown one simply finds nothing.
      return root.getByRole(
        target.role as Parameters<Page['getByRole']>[0],
        target.name === undefined ? {} : { name: target.name, exact: target.exact ?? false },
      )
    case 'label':
      return root.getByLabel(target.text, { exact: target.exact ?? false })
    case 'text':
      return root.getByText(target.text, { exact: target.exact ?? false })
    case 'placeholder':
      return root.getByPlaceholder(target.text, { exact: target.exact ?? false })
    case 'testId':
      return root.getByTestId(target.id)
    case 'altText':
      return root.getByAltText(target.text, { exact: target.exact ?? false })
    case 'title':
      return root.getByTitle(target.text, { exact: target.exact ?? false })
    case 'css':
      return root.locator(`css=${target.selector}`)
    default:
      return root.locator(`xpath=${target.expression}`)
  }
}

/** The one element that a target means now, or how many there are instead. */
export async function theOne(page: Page, target: Target, wanted: Wanted): Promise<Locator | number> {
  const all = await locatorOf(page, target)
  if (target.nth !== undefined) {
    const chosen = all.nth(target.nth)
    const there = wanted === 'visible' ? await chosen.isVisible() : (await chosen.count()) > 0
    return there ? chosen : 0
  }
  const matching = wanted === 'visible' ? all.filter({ visible: true }) : all
  const count = await matching.count()
  return count === 1 ? matching : count
}

/** Finds an element by the first of its targets that means exactly one; waits for it as long as the step may take. */
export async function findElement(
  page: Page,
  targets: readonly Target[],
  wanted: Wanted,
  time: StepTime,
): Promise<Locator> {
  let counts: number[] = []
  do {
    counts = []
    for (const target of targets) {
      const found = await time.within(theOne(page, target, wanted))
      if (typeof found !== 'number') return found
      counts.push(found)
    }
  } while (await time.poll(POLL_MS))
  const tried = targets.map((target, index) => {
    const count = counts[index] ?? 0
    return count > 1 ? `${describeTarget(target)} (${count} of them)` : describeTarget(target)
  })
  throw new StepError('ElementNotFound', `No element was found by ${tried.join(', ')}.`, {
    params: { targets: tried.join(', '), url: page.url() },
  })
}

/** All elements of the first target that has any; waits for the first as long as the step may take. */
export async function findAll(
  page: Page,
  targets: readonly Target[],
  time: StepTime,
): Promise<Locator | undefined> {
  do {
    for (const target of targets) {
      const all = await time.within(locatorOf(page, target))
      const chosen = target.nth === undefined ? all : all.nth(target.nth)
      if ((await time.within(chosen.count())) > 0) return chosen
    }
  } while (await time.poll(POLL_MS))
  return undefined
}

/** Whether any of the targets is to be seen just now. */
export async function isShown(page: Page, targets: readonly Target[]): Promise<boolean> {
  for (const target of targets) {
    const all = (await locatorOf(page, target)).filter({ visible: true })
    if ((await all.count()) > (target.nth ?? 0)) return true
  }
  return false
}
