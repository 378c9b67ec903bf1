import { expect, test } from 'vitest'
import { instantOf, wallTime } from './wall-time.ts'

test('a wall time and its moment lead to each other', () => {
  expect(instantOf('2026-05-05T09:00', 'Europe/Paris')).toBe('2026-05-05T07:00:00.000Z')
  expect(instantOf('2026-01-05T09:00', 'Europe/Paris')).toBe('2026-01-05T08:00:00.000Z')
  expect(instantOf('2026-05-05T09:00', 'America/New_York')).toBe('2026-05-05T13:00:00.000Z')
  expect(instantOf('2026-05-05T09:00', 'Asia/Kolkata')).toBe('2026-05-05T03:30:00.000Z')
  expect(wallTime('2026-05-05T07:00:00Z', 'Europe/Paris')).toBe('2026-05-05T09:00')
  expect(wallTime('2026-05-05T22:30:00Z', 'Asia/Tokyo')).toBe('2026-05-06T07:30')
})

test('the hour that the clocks skip, and the one that they repeat', () => {
  // In Paris, 29 March 2026 has no 02:30; 25 October 2026 has it twice.
  expect(instantOf('2026-03-29T02:30', 'Europe/Paris')).toBe('2026-03-29T01:30:00.000Z')
  expect(wallTime('2026-03-29T01:30:00Z', 'Europe/Paris')).toBe('2026-03-29T03:30')
  expect(instantOf('2026-10-25T02:30', 'Europe/Paris')).toBe('2026-10-25T00:30:00.000Z')
})

test('what is no time gives none', () => {
  expect(instantOf('', 'UTC')).toBeNull()
  expect(wallTime('never', 'UTC')).toBe('')
})
