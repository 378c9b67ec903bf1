import { StepError } from '@weft/workflow/errors'
import { findElement } from '../browser/locate.ts'
import type { Step } from './step.ts'

/** Chooses in a drop-down list, or ticks a box. */
export const select: Step<'select'> = async ({ session }, input, { context, time }) => {
  const { page } = await time.within(session.tab(context.lane))
  const element = await findElement(page, input.targets, 'visible', time)
  if (input.by === 'checked') {
    const checked = input.checked ?? true
    await time.within(element.setChecked(checked, { timeout: time.leftMs }))
    return { selected: checked }
  }
  const value = input.value ?? ''
  const index = Number(value)
  if (input.by === 'index' && (!Number.isInteger(index) || index < 0))
    throw new StepError('InputInvalid', `"${value}" is not a position in a list.`)
  const option = input.by === 'index' ? { index } : input.by === 'value' ? { value } : { label: value }
  const selected = await time.within(element.selectOption(option, { timeout: time.leftMs }))
  return { selected: selected.length === 1 ? (selected[0] ?? null) : selected }
}
