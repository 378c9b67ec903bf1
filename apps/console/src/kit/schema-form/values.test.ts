import { expect, test } from 'vitest'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import { withKind } from './targets.tsx'
import { isFieldShown, moved, newRow, typedNumber, withField } from './values.ts'

const fields = definitionOf('select')?.fields ?? []
const field = (name: string) => fields.find((one) => one.name === name)

test('an emptied field leaves the state', () => {
  expect(withField({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
  expect(withField({ a: 1 }, 'b', false)).toEqual({ a: 1, b: false })
})

test('a field is shown by the value of another, or by its default', () => {
  const [value, checked] = [field('value'), field('checked')]
  if (!value || !checked) throw new Error('the catalogue has changed')
  expect(isFieldShown(value, fields, {})).toBe(true)
  expect(isFieldShown(checked, fields, {})).toBe(false)
  expect(isFieldShown(checked, fields, { by: 'checked' })).toBe(true)
})

test('a new row of outcomes has a key of its own', () => {
  const cases = definitionOf('switch')?.fields.find(({ keyed }) => keyed)
  if (!cases) throw new Error('the catalogue has changed')
  expect(newRow(cases, [{ key: 'r2' }])).toMatchObject({ key: 'r3' })
})

test('rows move by one place and not beyond the ends', () => {
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b'])
})

test('a typed number is a number, a template stays text', () => {
  expect(typedNumber(' 12 ', true)).toBe(12)
  expect(typedNumber('{{ vars.n }}', true)).toBe('{{ vars.n }}')
  expect(typedNumber('', true)).toBeUndefined()
})

test('another way of finding keeps what was looked for', () => {
  expect(withKind({ by: 'role', role: 'button', name: 'Save', nth: 1 }, 'text')).toEqual({
    by: 'text',
    text: 'Save',
    nth: 1,
  })
  expect(withKind({ by: 'css', selector: '#x' }, 'role')).toEqual({ by: 'role', role: 'button', name: '#x' })
})
