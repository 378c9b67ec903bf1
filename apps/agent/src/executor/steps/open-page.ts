import type { Page } from 'playwright-core'
import { StepError } from '@weft/workflow/errors'
import { webAddress } from '../fetch.ts'
import type { StepTime } from '../step-time.ts'
import type { RunTools, Step } from './step.ts'

/** Goes to an address. */
export const openPage: Step<'open-page'> = async (tools, input, { context, time }) => {
  const { page } = await time.within(tools.session.tab(context.lane))
  const status = await goTo(tools, page, input.url, input.waitUntil, time)
  const expected = input.expectStatus
  if (expected === undefined ? status >= 400 : status !== expected)
    throw new StepError('NavigationFailed', `The page answered with status ${status}.`, {
      params: { status, url: page.url() },
    })
  return { url: page.url(), title: await time.within(page.title()), status }
}

/** Opens an address in a tab and gives the status of its answer; 0 where there is none. */
export async function goTo(
  { limits }: Pick<RunTools, 'limits'>,
  page: Page,
  address: string,
  waitUntil: 'load' | 'domcontentloaded' | 'networkidle',
  time: StepTime,
): Promise<number> {
  const url = webAddress(address)
  limits.check(url)
  const response = await time.within(page.goto(url.href, { waitUntil, timeout: time.leftMs }))
  return response?.status() ?? 0
}
