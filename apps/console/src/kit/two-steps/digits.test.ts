import { expect, test } from 'vitest'
import { latinDigits } from './digits.ts'

test('digits of other scripts are read as what they mean', () => {
  expect(latinDigits('012 345-6789')).toBe('012 345-6789')
  expect(latinDigits('٠١٢٣٤٥٦٧٨٩')).toBe('0123456789')
  expect(latinDigits('۰۱۲۳۴۵۶۷۸۹')).toBe('0123456789')
  expect(latinDigits('९')).toBe('9')
})
