import { expect, test } from 'vitest'
import type { Rule } from '@weft/contract/core/permissions'
import { conditionsOf, rowsOf } from './conditions.ts'

test('conditions become lines and lines the same conditions again', () => {
  const each: NonNullable<Rule['conditions']>[] = [
    { ownerId: '${user.id}' },
    { status: { $in: ['ready', 'new'] }, type: { $ne: 'website' } },
    { priority: { $gte: 3, $lt: 7 } },
    { builtIn: true, notes: null },
  ]
  for (const conditions of each) expect(conditionsOf(rowsOf(conditions))).toEqual(conditions)
})

test('a line that is not filled in, or that says a comparison twice, is none', () => {
  expect(conditionsOf([{ field: '', operator: 'is', values: ['x'] }])).toBeNull()
  expect(conditionsOf([{ field: 'type', operator: 'in', values: [] }])).toBeNull()
  expect(
    conditionsOf([
      { field: 'n', operator: 'gte', values: [1] },
      { field: 'n', operator: 'gte', values: [2] },
    ]),
  ).toBeNull()
})
