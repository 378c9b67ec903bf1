import type { Page } from 'playwright-core'
import { StepError } from '@weft/workflow/errors'
import { findElement } from '../browser/locate.ts'
import type { Tab } from '../browser/session.ts'
import type { StepTime } from '../step-time.ts'
import type { Step } from './step.ts'

/** Clicks an element. */
export const click: Step<'click'> = async ({ session }, input, { context, time }) => {
  const tab = await time.within(session.tab(context.lane))
  const { page } = tab
  const element = await findElement(page, input.targets, 'visible', time)
  const act = () => element.click({ button: input.button, clickCount: input.clicks, timeout: time.leftMs })
  if (input.waitForNavigation) await navigating(tab, act, time)
  else await time.within(act())
  return { url: page.url() }
}

/** Does something that leads to another page, and waits until that has loaded. */
export async function navigating(tab: Tab, act: () => Promise<void>, time: StepTime): Promise<void> {
  const { page } = tab
  tab.status = null
  const arrived = arrival(page, time)
  // Where the act itself fails, nobody waits for the arrival any more.
  arrived.catch(() => undefined)
  await time.within(act())
  await time.within(arrived)
  await time.within(page.waitForLoadState('load', { timeout: time.leftMs }))
  if (page.url().startsWith('chrome-error:'))
    throw new StepError('NavigationFailed', 'The page that the step leads to did not answer.')
  const { status } = readStatus(tab)
  if (status !== null && status >= 500)
    throw new StepError(
      'NavigationFailed',
      `The page that the step leads to answered with status ${status}.`,
      {
        params: { status },
      },
    )
}

// Read through a function: events set it while the step waits.
const readStatus = (tab: Tab) => ({ status: tab.status })

async function arrival(page: Page, time: StepTime): Promise<void> {
  const main = page.mainFrame()
  await page.waitForEvent('framenavigated', { predicate: (frame) => frame === main, timeout: time.leftMs })
}
