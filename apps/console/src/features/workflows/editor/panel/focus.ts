import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import { schemaFieldId } from '../../../../kit/schema-form/types.ts'
import { controlPath } from '../../model/field-problems.ts'

/** The id that begins those of the controls of a step's form. */
export const STEP_FORM = 'step'
/** How often it is looked whether the form of a step has come. */
const MOST_FRAMES = 60

/**
 * Puts the keyboard's focus on the first field of a step's form, or on its name where it has no fields. The form may
 * follow the outline by some frames, and the step may only now be made: `stepId` is asked each time.
 */
export function focusPanel(stepId: () => string | null, frames = MOST_FRAMES): void {
  requestAnimationFrame(() => {
    const id = stepId()
    const panel = id === null ? null : document.querySelector(`[data-step="${CSS.escape(id)}"]`)
    if (panel) firstControl(panel)?.focus()
    else if (frames > 0) focusPanel(stepId, frames - 1)
  })
}

function firstControl(panel: Element): HTMLElement | undefined {
  const form = `[id^="${STEP_FORM}-"]`
  const wishes = [`input${form}, textarea${form}, ${form} input, ${form} button`, 'input']
  return wishes.flatMap((wish) => panel.querySelector<HTMLElement>(wish) ?? [])[0]
}

/** Brings the control of a field into view and gives it the focus. */
export function focusField(type: string, field: string): void {
  const path = controlPath(definitionOf(type)?.fields ?? [], field)
  const control = document.getElementById(schemaFieldId(STEP_FORM, path))
  control?.scrollIntoView({ block: 'center' })
  control?.focus({ preventScroll: true })
}
