import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { FieldDescriptor } from '@weft/workflow/catalogue/field'
import type { WorkflowDocument } from '@weft/workflow/document'
import type { Problem } from '@weft/workflow/validate'
import type { useT } from '../text.ts'
import { titleOf } from './catalogue-text.ts'
import type { CatalogueText } from '../model/outline-text.ts'

/** The words of a field by its path in a state, such as `columns.0.name`. */
export function fieldWords(type: string, path: string, catalogue: CatalogueText): string {
  let fields: readonly FieldDescriptor[] = definitionOf(type)?.fields ?? []
  const words: string[] = []
  for (const part of path.split('.')) {
    if (/^\d+$/.test(part)) {
      words.push(String(Number(part) + 1))
      continue
    }
    const field = fields.find(({ name }) => name === part)
    words.push(field ? catalogue(field.labelKey) : part)
    fields = field?.items ?? []
  }
  return words.join(' › ')
}

/** What a step is called in a sentence: its own name, else its activity's, with its id. */
export function stepWords(document: WorkflowDocument, id: string, catalogue: CatalogueText): string {
  const step = document.activities.find((activity) => activity.id === id)
  if (!step) return id
  return step.name || titleOf(step.type, catalogue)
}

/** What a problem says. */
export function problemText(
  problem: Problem,
  document: WorkflowDocument,
  t: ReturnType<typeof useT>,
  catalogue: CatalogueText,
): string {
  const { code, params, stepId } = problem
  const type = document.activities.find(({ id }) => id === stepId)?.type ?? ''
  const field = typeof params['field'] === 'string' ? fieldWords(type, params['field'], catalogue) : ''
  const step = typeof params['step'] === 'string' ? stepWords(document, params['step'], catalogue) : ''
  if (code === 'field.invalid' && ('min' in params || 'max' in params))
    return t('problems.field.limits', {
      ...params,
      field,
      min: params['min'] ?? '–',
      max: params['max'] ?? '–',
    })
  // Of an activity of the catalogue its name in the reader's language; one that is not known has but its type.
  const named = params['type']
  const activity =
    typeof named === 'string' && definitionOf(named) ? { type: titleOf(named, catalogue) } : undefined
  return t(`problems.${code}`, { ...params, ...activity, field, step })
}
