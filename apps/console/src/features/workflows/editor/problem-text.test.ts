import { expect, test } from 'vitest'
import { PROBLEM_CODES } from '@weft/workflow/validate'
import ar from '../i18n/ar.json' with { type: 'json' }
import en from '../i18n/en.json' with { type: 'json' }
import fr from '../i18n/fr.json' with { type: 'json' }
import { emptyDocument } from '@weft/workflow/document'
import { fieldWords, problemText } from './problem-text.ts'

function textAt(texts: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>(
      (at, part) => (at !== null && typeof at === 'object' ? Reflect.get(at, part) : undefined),
      texts,
    )
}

test('every problem of a document has words in every language', () => {
  for (const texts of [en, fr, ar])
    for (const code of Object.keys(PROBLEM_CODES))
      expect(textAt(texts.problems, code), code).toBeTypeOf('string')
})

test('a field within a list is named with its row', () => {
  expect(
    fieldWords('extract', 'columns.1.name', (key) => key.replace('activities.extract.fields.', '')),
  ).toBe('columns.label › 2 › columns.items.name.label')
})

test('an activity is named in the reader’s words, not by its type', () => {
  const problem = {
    code: 'workflow.activity_disabled',
    severity: 'error',
    path: 'activities.0',
    stepId: 'first',
    field: null,
    params: { type: 'log' },
  } as const
  const said = (params: object) =>
    problemText(
      { ...problem, params: { ...problem.params, ...params } },
      emptyDocument(),
      (_key, filled) => JSON.stringify(filled),
      (key) => `(${key})`,
    )
  expect(said({})).toContain('(activities.log.title)')
  expect(said({ type: 'gone' })).toContain('"gone"')
})
