import { expect, test } from 'vitest'
import { outlineOf } from '@weft/workflow/outline'
import { sketch } from '@weft/workflow/testing/builder'
import { nextFound, stepsFound } from './find.ts'

const rows = outlineOf(
  sketch([
    { id: 'open', type: 'open-page', state: { url: 'https://example.org/Orders' } },
    {
      id: 'loop',
      type: 'for-each',
      name: 'Each order',
      state: { items: 'inputs.rows' },
      bodies: { body: [{ id: 'say', type: 'log', state: { message: 'done with it' } }] },
    },
  ]),
)
const find = (typed: string) =>
  stepsFound(rows, typed, ({ type }) => (type === 'log' ? 'Write a line' : type))

test('steps are found by name, id, kind and what stands in them, every word counting', () => {
  expect(find('order')).toEqual(['open', 'loop'])
  expect(find('ORDERS example')).toEqual(['open'])
  expect(find('write')).toEqual(['say'])
  expect(find('loop')).toEqual(['loop'])
  expect(find('order nowhere')).toEqual([])
  expect(find('   ')).toEqual([])
})

test('Enter goes from one to the next and round', () => {
  const found = ['a', 'b', 'c']
  expect(nextFound(found, null, 1)).toBe('a')
  expect(nextFound(found, 'elsewhere', -1)).toBe('c')
  expect(nextFound(found, 'c', 1)).toBe('a')
  expect(nextFound(found, 'a', -1)).toBe('c')
  expect(nextFound([], 'a', 1)).toBeUndefined()
})
