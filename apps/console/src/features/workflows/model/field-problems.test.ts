import { expect, test } from 'vitest'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { Problem } from '@weft/workflow/validate'
import { controlPath, problemsByField } from './field-problems.ts'

const fieldsOf = (type: string) => definitionOf(type)?.fields ?? []

test('a problem stands at the control that shows its place', () => {
  expect(controlPath(fieldsOf('click'), 'targets.0.name')).toBe('targets.0')
  expect(controlPath(fieldsOf('switch'), 'cases.1.equals')).toBe('cases.1.equals')
  expect(controlPath(fieldsOf('extract'), 'columns.0.selector')).toBe('columns.0.selector')
  expect(controlPath(fieldsOf('finish'), 'outputs.2.value')).toBe('outputs.2.value')
  expect(controlPath(fieldsOf('switch'), 'cases')).toBe('cases')
})

test('of several problems the worst is shown', () => {
  const problem = (severity: Problem['severity'], field: string | null): Problem => ({
    code: severity === 'error' ? 'field.required' : 'expression.unknown_item',
    severity,
    path: '',
    stepId: 'a',
    field,
    params: {},
  })
  const byField = problemsByField(fieldsOf('fill'), [
    problem('warning', 'value'),
    problem('error', 'value'),
    problem('error', null),
  ])
  expect([...byField].map(([path, { severity }]) => [path, severity])).toEqual([['value', 'error']])
})
