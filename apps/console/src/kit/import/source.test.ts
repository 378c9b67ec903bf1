import { expect, test } from 'vitest'
import { templateOf } from './template.ts'
import { fittingMapping, remap, tableKey } from './source.ts'

test('a table is known by its columns, in any order', () => {
  expect(tableKey(['B ', 'a'])).toBe(tableKey(['A', 'b']))
  expect(tableKey(['a'])).not.toBe(tableKey(['b']))
})

test('a field is taken from one column or from none', () => {
  expect(remap({ a: 'x' }, 'a', 'y')).toEqual({ a: 'y' })
  expect(remap({ a: 'x', b: 'z' }, 'a', null)).toEqual({ b: 'z' })
})

test('a remembered mapping is used as far as it fits, and not where it says the same', () => {
  const check = {
    columns: ['user', 'mail'],
    fields: [
      { name: 'username', required: true },
      { name: 'email', required: false },
    ],
    mapping: { username: 'user' },
  }
  expect(fittingMapping(undefined, check)).toBeUndefined()
  expect(fittingMapping({ username: 'user' }, check)).toBeUndefined()
  expect(fittingMapping({ username: 'user', email: 'mail', gone: 'mail' }, check)).toEqual({
    username: 'user',
    email: 'mail',
  })
  expect(fittingMapping({ email: 'not there' }, check)).toBeUndefined()
})

test('a template names the columns and has one row, with what would part it in quotes', () => {
  const columns = [
    { name: 'username', example: 'ada' },
    { name: 'tags', example: 'north; "spring"' },
    { name: 'profileId', example: '' },
  ]
  expect(templateOf(columns)).toBe('\uFEFFusername,tags,profileId\r\nada,"north; ""spring""",\r\n')
})
