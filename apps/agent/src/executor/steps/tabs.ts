import { StepError } from '@weft/workflow/errors'
import type { Tab } from '../browser/session.ts'
import { goTo } from './open-page.ts'
import type { Step } from './step.ts'

const POLL_MS = 100

/** Opens another tab, and works in it from then on. */
export const openTab: Step<'open-tab'> = async (tools, input, { context, time }) => {
  const { lane } = context
  // The first tab counts as well: one opened beside it is the second.
  await time.within(tools.session.tab(lane))
  const tab = await time.within(tools.session.openTab(lane, input.name ?? null))
  if (input.url !== undefined) await goTo(tools, tab.page, input.url, 'load', time)
  return { index: tools.session.tabs(lane).indexOf(tab), url: tab.page.url() }
}

/** Works in another open tab from then on; waits for one that a page is just opening. */
export const switchTab: Step<'switch-tab'> = async ({ session }, input, { context, time }) => {
  const { lane } = context
  const current = await time.within(session.tab(lane))
  let found: Tab | undefined
  do found = await time.within(choose(session.tabs(lane), input))
  while (!found && (await time.poll(POLL_MS)))
  if (!found)
    throw new StepError('ElementNotFound', `There is no tab whose ${input.by} is "${input.value}".`, {
      params: { by: input.by, value: input.value },
    })
  session.switchTo(lane, found)
  if (input.closeCurrent && current !== found) await time.within(current.page.close())
  await time.within(found.page.waitForLoadState('domcontentloaded', { timeout: time.leftMs }))
  return {
    index: session.tabs(lane).indexOf(found),
    url: found.page.url(),
    title: await time.within(found.page.title()),
  }
}

async function choose(tabs: Tab[], { by, value }: { by: string; value: string }): Promise<Tab | undefined> {
  if (by === 'index') return tabs[Number(value)]
  if (by === 'name') return tabs.find(({ name }) => name === value)
  if (by === 'url') return tabs.find(({ page }) => page.url().includes(value))
  for (const tab of tabs) if ((await tab.page.title()).includes(value)) return tab
  return undefined
}
