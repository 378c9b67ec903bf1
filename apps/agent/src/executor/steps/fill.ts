import { findElement } from '../browser/locate.ts'
import type { Step } from './step.ts'

/** Writes a text into a field. */
export const fill: Step<'fill'> = async ({ session, masker, secretFields }, input, { context, time }) => {
  const { page } = await time.within(session.tab(context.lane))
  const field = await findElement(page, input.targets, 'visible', time)
  if (masker.text(input.value) !== input.value) secretFields.push(field)
  if (input.mode === 'type') {
    await time.within(field.clear({ timeout: time.leftMs }))
    await time.within(field.pressSequentially(input.value, { timeout: time.leftMs }))
  } else await time.within(field.fill(input.value, { timeout: time.leftMs }))
  return {}
}
