import { expect, test } from 'vitest'
import { countryChoices, readingOf } from './reading.ts'

test('a number is read with its own code, or within the chosen country', () => {
  expect(readingOf('+33 6 12 34 56 78', null)).toEqual({
    international: '+33 6 12 34 56 78',
    national: '06 12 34 56 78',
    country: 'FR',
  })
  expect(readingOf('0612345678', 'FR')?.international).toBe('+33 6 12 34 56 78')
  expect(readingOf('0612345678', '+33')?.international).toBe('+33 6 12 34 56 78')
  expect(readingOf('0033612345678', null)?.country).toBe('FR')
  expect(readingOf('0612345678', null)).toBeNull()
  expect(readingOf('+33 6', null)).toBeNull()
})

test('every country can be chosen by name', () => {
  const choices = countryChoices()
  expect(choices.length).toBeGreaterThan(200)
  expect(choices.find(({ value }) => value === 'EG')?.label).toContain('+20')
})
