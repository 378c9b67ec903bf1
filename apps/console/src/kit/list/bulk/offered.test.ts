import { expect, test } from 'vitest'
import { offeredForMany } from './offered.ts'

const bulk = () => Promise.resolve()

test('what is not for many, not for this person, or built into the bar is not offered', () => {
  const actions = [
    { id: 'open' },
    { id: 'moveTo', bulk },
    { id: 'toProject', bulk, bulkShown: () => false },
    { id: 'pause', bulk, bulkShown: () => true },
    { id: 'delete', bulk },
  ]
  const idsOf = (isBuiltIn: boolean) => offeredForMany(actions, isBuiltIn).map(({ id }) => id)
  expect(idsOf(false)).toEqual(['moveTo', 'pause', 'delete'])
  expect(idsOf(true)).toEqual(['moveTo', 'pause'])
})
