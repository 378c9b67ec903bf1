import { beforeAll, expect, test } from 'vitest'
import { addTexts, lookUp } from './lookup.ts'

beforeAll(() => {
  addTexts('en', 'x', {
    title: 'Accounts',
    rows_zero: 'No rows',
    rows_one: '{{count}} row',
    rows_other: '{{count}} rows',
    bad: 'Not valid ({{count}})',
    fields: { limits: { perDay: 'A day' } },
    hello: 'Hello {{ name }}, {{missing}}',
  })
  addTexts('ar', 'x', { rows_two: 'صفان', rows_few: '{{count}} صفوف', rows_other: '{{count}} صف' })
})

test('a key leads to its text, also a nested one', () => {
  expect(lookUp('en', 'x:title')).toBe('Accounts')
  expect(lookUp('en', 'x:fields.limits.perDay')).toBe('A day')
})

test('there is nothing for a group, an unknown key or namespace, or what every object has', () => {
  for (const key of ['x:fields', 'x:fields.other', 'y:title', 'x:constructor.name', 'x:'])
    expect(lookUp('en', key)).toBeUndefined()
})

test('the count chooses the form by the rules of the language', () => {
  expect(lookUp('en', 'x:rows', { count: 0 })).toBe('No rows')
  expect(lookUp('en', 'x:rows', { count: 1 })).toBe('1 row')
  expect(lookUp('en', 'x:rows', { count: 12_000 })).toBe('12,000 rows')
  expect(lookUp('ar', 'x:rows', { count: 2 })).toBe('صفان')
  expect(lookUp('ar', 'x:rows', { count: 5 })).toContain('صفوف')
  expect(lookUp('en', 'x:bad', { count: 3 })).toBe('Not valid (3)')
})

test('values stand where their names are; what is not given stays visible', () => {
  expect(lookUp('en', 'x:hello', { name: 'Ada' })).toBe('Hello Ada, {{missing}}')
})
