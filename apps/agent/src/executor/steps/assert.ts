import { runInNewContext } from 'node:vm'
import type { Page } from 'playwright-core'
import type { ResolvedInput } from '@weft/workflow/catalogue/catalogue'
import { StepError } from '@weft/workflow/errors'
import type { Json } from '@weft/workflow/json'
import { isShown, locatorOf } from '../browser/locate.ts'
import type { Step } from './step.ts'

type Input = ResolvedInput<'assert'>

const POLL_MS = 100
const PATIENCE_MS = 5000
const MATCH_MS = 250

/** Goes on only when something holds of the page; what does not hold at once is given a moment. */
export const assert: Step<'assert'> = async ({ session }, input, { context, time }) => {
  const { page } = await time.within(session.tab(context.lane))
  const patience = time.shorter(PATIENCE_MS)
  let seen: { holds: boolean; actual: Json }
  do {
    seen = await time.within(look(page, input))
    if (seen.holds) return { actual: seen.actual }
  } while (await patience.poll(POLL_MS))
  throw new StepError('AssertionFailed', input.message ?? describe(input), {
    params: { subject: input.subject, actual: seen.actual, expected: input.expected ?? null },
    effect: 'none',
  })
}

function describe({ subject, operator, expected, elementState }: Input): string {
  if (subject === 'element') return `The element is not ${elementState ?? 'visible'}.`
  return `The ${subject} does not fit: ${operator ?? 'contains'} "${expected ?? ''}".`
}

async function look(page: Page, input: Input): Promise<{ holds: boolean; actual: Json }> {
  switch (input.subject) {
    case 'url':
      return compared(page.url(), input)
    case 'title':
      return compared(await page.title(), input)
    case 'text': {
      const text = await textOf(page, input)
      return text === null ? { holds: false, actual: null } : compared(text, input)
    }
    default:
      return elementHolds(page, input)
  }
}

async function textOf(page: Page, { targets }: Input): Promise<string | null> {
  for (const target of targets ?? []) {
    const element = (await locatorOf(page, target)).nth(target.nth ?? 0)
    if ((await element.count()) > 0) return (await element.innerText()).trim()
  }
  return null
}

async function elementHolds(
  page: Page,
  { targets, elementState }: Input,
): Promise<{ holds: boolean; actual: Json }> {
  const state = elementState ?? 'visible'
  const shown = await isShown(page, targets ?? [])
  if (state === 'visible' || state === 'hidden')
    return { holds: shown === (state === 'visible'), actual: shown ? 'visible' : 'hidden' }
  for (const target of targets ?? []) {
    const element = (await locatorOf(page, target)).nth(target.nth ?? 0)
    if ((await element.count()) === 0) continue
    if (state === 'enabled' || state === 'disabled') {
      const enabled = await element.isEnabled()
      return { holds: enabled === (state === 'enabled'), actual: enabled ? 'enabled' : 'disabled' }
    }
    const checked = await element.isChecked()
    return { holds: checked === (state === 'checked'), actual: checked ? 'checked' : 'unchecked' }
  }
  return { holds: false, actual: 'missing' }
}

function compared(actual: string, { operator, expected = '' }: Input): { holds: boolean; actual: Json } {
  switch (operator ?? 'contains') {
    case 'contains':
      return { holds: actual.includes(expected), actual }
    case 'equals':
      return { holds: actual === expected, actual }
    case 'startsWith':
      return { holds: actual.startsWith(expected), actual }
    case 'endsWith':
      return { holds: actual.endsWith(expected), actual }
    default:
      return { holds: matches(actual, expected), actual }
  }
}

/** A pattern may be made to take for ever; it is given a moment. */
function matches(text: string, pattern: string): boolean {
  try {
    const result: unknown = runInNewContext(
      'new RegExp(pattern, "u").test(text)',
      { text, pattern },
      { timeout: MATCH_MS },
    )
    return result === true
  } catch (cause) {
    throw new StepError('InputInvalid', `The pattern "${pattern.slice(0, 200)}" cannot be used.`, { cause })
  }
}
