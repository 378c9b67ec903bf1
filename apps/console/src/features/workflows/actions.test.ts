import { expect, test } from 'vitest'
import { offeredForMany } from '../../kit/list/bulk/offered.ts'
import { workflowActions } from './actions.ts'

test('who may not make workflows or see projects is not offered to take many to a project', () => {
  // A visitor, who may do nothing of it.
  expect(offeredForMany(workflowActions, true).map(({ id }) => id)).toEqual(['moveTo'])
})
