import { findElement } from '../browser/locate.ts'
import { pathOf } from '../journal.ts'
import type { Page } from 'playwright-core'
import type { RunTools, Step } from './step.ts'

/** Takes a picture of the page or of an element. */
export const screenshot: Step<'screenshot'> = async (tools, input, { context, time }) => {
  const { page } = await time.within(tools.session.tab(context.lane))
  const element = input.targets && (await findElement(page, input.targets, 'visible', time))
  const path = tools.files.newPath('.png')
  const options = { path, mask: hiddenIn(tools, page), timeout: time.leftMs }
  if (element) await time.within(element.screenshot(options))
  else await time.within(page.screenshot({ ...options, fullPage: input.fullPage }))
  const name = `${input.name ?? context.name ?? context.stepId}.png`
  const file = await tools.files.add({
    path,
    kind: 'screenshot',
    name,
    stepId: context.stepId,
    at: pathOf(context),
  })
  return { file }
}

/** What no picture may show: password fields, and whatever was filled with a secret. */
export function hiddenIn({ secretFields }: Pick<RunTools, 'secretFields'>, page: Page) {
  return [page.locator('input[type=password]'), ...secretFields.filter((field) => field.page() === page)]
}
