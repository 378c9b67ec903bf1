import { expect, test } from 'vitest'
import { fieldChanges } from './diff.ts'

test('only what is other than before is a change, by its path', () => {
  const before = { name: 'A', version: 1, limits: { perDay: 3, perHour: 1 }, tags: ['x'] }
  const after = { name: 'A', version: 2, limits: { perDay: 5, perHour: 1 }, tags: ['x', 'y'] }
  expect(fieldChanges(before, after)).toEqual([
    { path: 'limits.perDay', before: 3, after: 5 },
    { path: 'tags', before: ['x'], after: ['x', 'y'] },
  ])
})

test('a part that came or went as a whole is told part by part', () => {
  expect(fieldChanges({ plan: null }, { plan: { at: 'noon', status: 3 } })).toEqual([
    { path: 'plan.at', before: undefined, after: 'noon' },
    { path: 'plan.status', before: undefined, after: 3 },
  ])
})

test('a value that came or went stands against nothing', () => {
  expect(fieldChanges({ a: 1 }, { b: 2 })).toEqual([
    { path: 'a', before: 1, after: undefined },
    { path: 'b', before: undefined, after: 2 },
  ])
  expect(fieldChanges({ a: null }, {})).toEqual([])
})
