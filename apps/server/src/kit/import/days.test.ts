import { expect, test } from 'vitest'
import { endOfDay, momentOf } from './days.ts'
import { isoOfSerial } from './workbook-dates.ts'

test('a day ends at its last second in its zone, also where clocks are changed', () => {
  expect(endOfDay('2030-12-31', 'UTC')).toBe('2030-12-31T23:59:59.000Z')
  expect(endOfDay('2030-12-31', 'Africa/Cairo')).toBe('2030-12-31T21:59:59.000Z')
  expect(endOfDay('2030-12-31', 'Pacific/Kiritimati')).toBe('2030-12-31T09:59:59.000Z')
  expect(endOfDay('2030-12-31', 'Pacific/Pago_Pago')).toBe('2031-01-01T10:59:59.000Z')
  expect(endOfDay('2024-03-31', 'Europe/Berlin')).toBe('2024-03-31T21:59:59.000Z')
  expect(endOfDay('2024-10-27', 'Europe/Berlin')).toBe('2024-10-27T22:59:59.000Z')
  expect(endOfDay('2024-11-03', 'America/New_York')).toBe('2024-11-04T04:59:59.000Z')
  expect(endOfDay('0099-01-01', 'UTC')).toBe('0099-01-01T23:59:59.000Z')
})

test('what is no day is none', () => {
  for (const text of ['2030-02-30', '2030-13-01', '31.12.2030', '2030-12-31T18:00:00Z', ''])
    expect(endOfDay(text, 'UTC')).toBeUndefined()
})

test('a day of a workbook is a day, and not its beginning', () => {
  expect(isoOfSerial('47848')).toBe('2030-12-31')
  expect(isoOfSerial('47848.75')).toBe('2030-12-31T18:00:00')
  expect(isoOfSerial('0.5')).toBeUndefined()
})

test('a time without a zone is one of the person’s clock', () => {
  expect(momentOf('2030-12-31', 'Africa/Cairo')).toBe('2030-12-31T21:59:59.000Z')
  expect(momentOf('2030-12-31 18:00', 'Africa/Cairo')).toBe('2030-12-31T16:00:00.000Z')
  expect(momentOf('2030-12-31T18:00:30', 'Africa/Cairo')).toBe('2030-12-31T16:00:30.000Z')
  expect(momentOf('2024-07-01 8:05', 'Europe/Berlin')).toBe('2024-07-01T06:05:00.000Z')
  for (const text of [
    '2030-06-31 18:00',
    '2030-12-31 24:30',
    '2030-12-31T18:00:00Z',
    '18:00',
    '2030-12-31 18',
  ])
    expect(momentOf(text, 'UTC')).toBeUndefined()
})
