import { expect, test } from 'vitest'
import { emptyDocument } from '@weft/workflow/document'
import { keyOfOffered, readOffered } from './custom-step.ts'
import { newStep } from './new-step.ts'

test('a custom activity of the palette becomes a step that names it, its version and what it is called', () => {
  const key = keyOfOffered({ id: 'a1', version: 4, name: 'Post: "hello"' })
  expect(readOffered(key)).toEqual({ id: 'a1', version: 4, name: 'Post: "hello"' })
  expect(newStep(emptyDocument(), key)).toEqual({
    id: 'custom_activity',
    type: 'custom-activity',
    typeVersion: 1,
    name: 'Post: "hello"',
    state: { activityId: 'a1', version: 4 },
  })
  expect(readOffered('click')).toBeNull()
  expect(newStep(emptyDocument(), 'click').type).toBe('click')
})
