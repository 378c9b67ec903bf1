import { expect, test } from 'vitest'
import { rangeOf } from './range.ts'

test.each([
  [undefined, undefined],
  ['bytes=0-4', { start: 0, end: 4 }],
  ['bytes=5-', { start: 5, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=8-100', { start: 8, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=4-2', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=-', undefined],
  ['lines=0-1', undefined],
])('%s of ten bytes', (header, range) => {
  expect(rangeOf(header, 10)).toEqual(range)
})
