import { expect, test } from 'vitest'
import { accountColumns } from './columns.tsx'

test('the list can show every limit that an account has', () => {
  const limits = accountColumns.filter(({ id }) => id.startsWith('limits.'))
  expect(limits.map(({ id }) => id)).toEqual([
    'limits.perDay',
    'limits.perHour',
    'limits.cooldownMinutes',
    'limits.quietHours',
  ])
  expect(limits.every(({ hidden }) => hidden === true)).toBe(true)
})
