import { expect, test } from 'vitest'
import { TestMarks } from './test-marks.ts'

const passed = (stepId: string, state: 'running' | 'succeeded' | 'failed', path = stepId) => ({
  path,
  stepId,
  state,
  durationMs: state === 'running' ? null : 12,
  error: state === 'failed' ? { class: 'ElementNotFound' } : null,
})

test('a message about a step draws that step and no other', () => {
  const marks = new TestMarks()
  const drawn: string[] = []
  for (const id of ['a', 'b']) marks.subscribe(id, () => drawn.push(id))
  marks.begin(['a', 'b'])
  expect(drawn.splice(0)).toEqual(['a', 'b'])
  marks.tell([passed('a', 'running')])
  marks.tell([passed('a', 'running')])
  expect(drawn).toEqual(['a'])
  expect(marks.get('a').state).toBe('running')
  expect(marks.get('b').state).toBe('waiting')
})

test('of a loop the last pass counts; steps of a called workflow are not of this document', () => {
  const marks = new TestMarks()
  marks.tell([passed('a', 'succeeded', 'l:body[0]/a'), passed('a', 'failed', 'l:body[1]/a')])
  marks.tell([passed('b', 'succeeded', 'call>b')])
  expect(marks.get('a')).toMatchObject({ state: 'failed', error: 'ElementNotFound' })
  expect(marks.get('b').state).toBeNull()
})

test('what waits when the run is over is not marked; pins stay through runs', () => {
  const marks = new TestMarks()
  marks.pin(new Set(['p']))
  marks.begin(['a'])
  expect(marks.get('p').pinned).toBe(true)
  marks.settle()
  expect(marks.get('a').state).toBeNull()
  marks.pin(new Set())
  expect(marks.get('p').pinned).toBe(false)
})

test('who stopped listening hears nothing', () => {
  const marks = new TestMarks()
  let heard = 0
  const stop = marks.subscribe('a', () => (heard += 1))
  stop()
  marks.begin(['a'])
  expect(heard).toBe(0)
})
