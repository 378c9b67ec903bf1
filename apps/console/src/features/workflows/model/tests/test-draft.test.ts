import { expect, test } from 'vitest'
import { draftFromRun, freeName, isChanged, leftAfterSave, newTest, withInput } from './test-draft.ts'

test('a test from a run has what it was given but secrets, and expects what came of it', () => {
  const run = {
    inputs: { city: 'Oslo', key: '••••••' },
    resources: { accountId: 'a' },
    result: 'succeeded',
    outputs: { total: 2 },
    error: null,
  }
  const draft = draftFromRun(run, 'Works', new Set(['key']))
  expect(draft).toMatchObject({
    id: null,
    name: 'Works',
    inputs: { city: 'Oslo' },
    resources: { accountId: 'a' },
    expectedResult: 'succeeded',
    expectations: [{ expression: 'outputs.total === 2' }],
  })
  const failed = draftFromRun(
    { ...run, result: 'timed_out', error: { class: 'Timeout' } },
    'Fails',
    new Set(),
  )
  expect(failed).toMatchObject({
    expectedResult: 'failed',
    expectations: [{ expression: 'error.class === "Timeout"' }],
  })
})

test('only what somebody changed counts as changed', () => {
  const draft = newTest('New')
  expect(isChanged(draft)).toBe(false)
  const changed = { ...draft, inputs: withInput(draft.inputs, 'n', 1) }
  expect(isChanged(changed)).toBe(true)
  expect(isChanged({ ...changed, inputs: withInput(changed.inputs, 'n', undefined) })).toBe(false)
})

test('what is changed while a test is being saved goes on as a change of what was saved', () => {
  const sent = { ...newTest('New'), name: 'Sent' }
  const saved = { id: 'a', version: 1 }
  expect(leftAfterSave(sent, sent, saved)).toBeNull()
  const now = { ...sent, name: 'Sent and changed' }
  const left = leftAfterSave(now, sent, saved)
  expect(left).toMatchObject({ id: 'a', version: 1, name: 'Sent and changed' })
  expect(left && isChanged(left)).toBe(true)
  expect(left && isChanged({ ...left, name: 'Sent' })).toBe(false)
})

test('a test that is begun while another is being saved is left as it is', () => {
  const sent = { ...newTest('New'), name: 'Sent' }
  const saved = { id: 'a', version: 1 }
  expect(leftAfterSave(null, sent, saved)).toBeNull()
  const other = newTest('Other')
  expect(leftAfterSave(other, sent, saved)).toBe(other)
  // Also where it says the same.
  const same = { ...newTest('New'), name: 'Sent' }
  expect(leftAfterSave(same, sent, saved)).toBe(same)
})

test('a name is free', () => {
  expect(freeName('Test', [])).toBe('Test')
  expect(freeName('Test', ['Test', 'Test 2'])).toBe('Test 3')
})
