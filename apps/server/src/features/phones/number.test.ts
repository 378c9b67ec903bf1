import { expect, test } from 'vitest'
import { readNumber, shownNumber } from './number.ts'

test.each([
  ['+44 7700 900001', null, '+447700900001', '+44'],
  ['07700 900001', 'GB', '+447700900001', '+44'],
  ['07700 900001', '+44', '+447700900001', '+44'],
  ['0044 7700 900001', null, '+447700900001', '+44'],
  ['(202) 555-0100', 'us', '+12025550100', '+1'],
  ['٠٦١٢٣٤٥٦٧٨', 'FR', '+33612345678', '+33'],
  ['+٢٠ ١٠٠ ١٢٣ ٤٥٦٧', null, '+201001234567', '+20'],
])('reads %s of %s', (text, country, phoneNumber, countryCode) => {
  expect(readNumber(text, country)).toEqual({ number: { phoneNumber, countryCode } })
})

test.each([
  ['07700 900001', null, 'phoneNumber', 'format'],
  ['+44 12', null, 'phoneNumber', 'format'],
  ['+999 123456789', null, 'phoneNumber', 'format'],
  ['=HYPERLINK("x")', 'GB', 'phoneNumber', 'format'],
  ['+44 7700 900001', 'FR', 'countryCode', 'not_same'],
  ['+44 7700 900001', '+33', 'countryCode', 'not_same'],
  ['07700 900001', 'ZZ', 'countryCode', 'format'],
])('refuses %s of %s', (text, country, path, code) => {
  expect(readNumber(text, country)).toEqual({ problem: { path, code } })
})

test('shows the country and how it is written there', () => {
  expect(shownNumber('+33612345678')).toEqual({ country: 'FR', national: '06 12 34 56 78' })
  expect(shownNumber('+80012345678')).toMatchObject({ country: null })
})
