import { expect, test } from 'vitest'
import { filled, perHour, periodName, periodOf } from './period.ts'

const now = new Date(2026, 4, 5, 10, 30, 20).getTime()

test('a period begins at midnight and ends with the present minute', () => {
  const today = periodOf('today', now)
  expect(new Date(today.from)).toEqual(new Date(2026, 4, 5))
  expect(new Date(today.to)).toEqual(new Date(2026, 4, 5, 10, 31))
  expect(today.groupBy).toBe('hour')
  expect(new Date(periodOf('week', now).from)).toEqual(new Date(2026, 3, 29))
  expect(new Date(periodOf('month', now).from)).toEqual(new Date(2026, 3, 6))
  expect(periodOf('today', now + 10_000)).toEqual(today)
})

test('hours and days without anything are filled', () => {
  const today = periodOf('today', now)
  const nine = new Date(2026, 4, 5, 9).toISOString()
  const points = filled([{ at: nine, done: 3, failed: 1 }], today)
  expect(points).toHaveLength(11)
  expect(points[9]).toEqual({ at: nine, done: 3, failed: 1 })
  expect(points[8]?.done).toBe(0)
  expect(filled([], periodOf('week', now))).toHaveLength(7)
})

test('a rate needs a length', () => {
  expect(perHour(21, { from: '2026-05-05T00:00:00Z', to: '2026-05-05T10:30:00Z', groupBy: 'hour' })).toBe(2)
  expect(perHour(1, { from: '2026-05-05T00:00:00Z', to: '2026-05-05T00:00:00Z', groupBy: 'hour' })).toBeNull()
})

test('an unknown name is the usual period', () => {
  expect(periodName('month')).toBe('month')
  expect(periodName('century')).toBe('week')
  expect(periodName(null)).toBe('week')
})
