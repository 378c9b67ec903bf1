import { findElement } from '../browser/locate.ts'
import type { Step } from './step.ts'

/** Presses a key or a combination of keys. */
export const pressKey: Step<'press-key'> = async ({ session }, input, { context, time }) => {
  const { page } = await time.within(session.tab(context.lane))
  const element = input.targets && (await findElement(page, input.targets, 'visible', time))
  for (let count = 0; count < input.times; count += 1) {
    if (element) await time.within(element.press(input.key, { timeout: time.leftMs }))
    else await time.within(page.keyboard.press(input.key))
  }
  return {}
}
