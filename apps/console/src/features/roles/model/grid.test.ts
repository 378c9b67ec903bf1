import { expect, test } from 'vitest'
import { step } from './grid.ts'

/** Two rows of three, the middle of the first left out. */
const has = ({ row, column }: { row: number; column: number }) => !(row === 0 && column === 1)
const from = (row: number, column: number, key: string, options = { rtl: false, ctrl: false }) =>
  step({ row, column }, key, { rows: 2, columns: 3 }, has, options)

test('arrows pass over gaps and stop at the edges', () => {
  expect(from(0, 0, 'ArrowRight')).toEqual({ row: 0, column: 2 })
  expect(from(0, 2, 'ArrowRight')).toBeNull()
  expect(from(1, 1, 'ArrowUp')).toBeNull()
  expect(from(0, 0, 'ArrowDown')).toEqual({ row: 1, column: 0 })
})

test('left and right are the other way round from right to left', () => {
  expect(from(0, 0, 'ArrowLeft', { rtl: true, ctrl: false })).toEqual({ row: 0, column: 2 })
  expect(from(0, 0, 'ArrowRight', { rtl: true, ctrl: false })).toBeNull()
})

test('Home and End lead to the ends of the row, with Ctrl of the grid', () => {
  expect(from(1, 1, 'Home')).toEqual({ row: 1, column: 0 })
  expect(from(1, 1, 'End')).toEqual({ row: 1, column: 2 })
  expect(from(1, 1, 'Home', { rtl: false, ctrl: true })).toEqual({ row: 0, column: 0 })
  expect(from(0, 0, 'End', { rtl: false, ctrl: true })).toEqual({ row: 1, column: 2 })
  expect(from(0, 0, 'x')).toBeNull()
})
