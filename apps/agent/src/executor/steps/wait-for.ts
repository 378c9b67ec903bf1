import { StepError } from '@weft/workflow/errors'
import { isShown, locatorOf } from '../browser/locate.ts'
import type { ResolvedInput } from '@weft/workflow/catalogue/catalogue'
import type { Page } from 'playwright-core'
import type { Step } from './step.ts'

const POLL_MS = 100

/** Waits until an element, an address or a text is there; waiting for a time is the interpreter's own. */
export const waitFor: Step<'wait-for'> = async ({ session }, input, { context, time }) => {
  const { page } = await time.within(session.tab(context.lane))
  do {
    if (await time.within(holds(page, input))) return { met: true }
  } while (await time.poll(POLL_MS))
  if (input.onTimeout === 'continue') return { met: false }
  throw new StepError('Timeout', `The ${input.for} did not come.`, {
    params: { for: input.for, url: page.url() },
    effect: 'none',
  })
}

async function holds(page: Page, input: ResolvedInput<'wait-for'>): Promise<boolean> {
  if (input.for === 'url') return matchesPattern(page.url(), input.url ?? '')
  if (input.for === 'text') {
    const text = page.getByText(input.text ?? '').filter({ visible: true })
    return (await text.count()) > 0
  }
  const targets = input.targets ?? []
  switch (input.elementState ?? 'visible') {
    case 'visible':
      return isShown(page, targets)
    case 'hidden':
      return !(await isShown(page, targets))
    case 'attached':
      return (await countAll(page, targets)) > 0
    default:
      return (await countAll(page, targets)) === 0
  }
}

async function countAll(
  page: Page,
  targets: NonNullable<ResolvedInput<'wait-for'>['targets']>,
): Promise<number> {
  const counts = await Promise.all(targets.map(async (target) => (await locatorOf(page, target)).count()))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Whether an address is the pattern; `*` in it stands for anything. */
export function matchesPattern(address: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const [first = '', ...rest] = parts
  if (rest.length === 0) return address === pattern
  if (!address.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let at = first.length
  for (const part of rest) {
    const found = address.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return address.length - last.length >= at && address.endsWith(last)
}
