import { expect, test } from 'vitest'
import { asLine } from './row-text.ts'

test('a row is one line of cells with tabs between them', () => {
  expect(asLine(['ann', 'Held by\nSpring', ' a\tb ', '', ''])).toBe('ann\tHeld by Spring\ta b\t\t')
})

test('what a spreadsheet would run is plain text, numbers stay numbers', () => {
  expect(asLine(['=1+1', '@SUM(A1)', '-cmd|x', '+49 1511 (2)', '-12.5', '–5'])).toBe(
    "'=1+1\t'@SUM(A1)\t'-cmd|x\t+49 1511 (2)\t-12.5\t–5",
  )
})
