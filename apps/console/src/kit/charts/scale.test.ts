import { expect, test } from 'vitest'
import { changeOf } from '../progress/change.ts'
import { axisWidthOf, axisOf, labelled, linePath } from './scale.ts'

test('marks are round and reach above the largest value', () => {
  expect(axisOf([0, 7])).toEqual({ max: 8, ticks: [0, 2, 4, 6, 8] })
  expect(axisOf([93]).max).toBeGreaterThanOrEqual(93)
  expect(axisOf([0.3]).max).toBeCloseTo(0.3, 5)
})

test('whole values get whole marks, and nothing still has an axis', () => {
  expect(axisOf([1]).ticks).toEqual([0, 1])
  expect(axisOf([3]).ticks.every(Number.isInteger)).toBe(true)
  expect(axisOf([])).toEqual({ max: 1, ticks: [0, 1] })
})

test('labels do not touch', () => {
  expect(labelled(24, 720)).toEqual([0, 3, 6, 9, 12, 15, 18, 21])
  expect(labelled(3, 720)).toEqual([0, 1, 2])
})

test('a line goes from point to point', () => {
  expect(
    linePath([
      [0, 1],
      [2.345, 3],
    ]),
  ).toBe('M0 1L2.3 3')
})

test('a change needs something to compare with', () => {
  expect(changeOf(15, 10)).toBe(0.5)
  expect(changeOf(0, 0)).toBe(0)
  expect(changeOf(5, 0)).toBeNull()
  expect(changeOf(null, 3)).toBeNull()
})

test('the marks of an axis have room, long ones too', () => {
  expect(axisWidthOf(['0', '10'])).toBe(44)
  expect(axisWidthOf(['0 bytes', '10 GB'])).toBeGreaterThan(50)
})
