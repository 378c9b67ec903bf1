import { expect, test } from 'vitest'
import { proposedFrom } from './propose.ts'

test('what a run gave is proposed as what is expected', () => {
  const outputs = {
    title: 'Tea "green"',
    total: 3,
    ok: true,
    none: null,
    rows: [{ a: 1 }, { a: 2 }],
    'by day': { monday: 1, deep: { deeper: { deepest: 1 } } },
    key: 'is ••••••',
    long: 'x'.repeat(300),
  }
  expect(proposedFrom({ result: 'succeeded', outputs, error: null })).toEqual([
    'outputs.title === "Tea \\"green\\""',
    'outputs.total === 3',
    'outputs.ok',
    'outputs.none === null',
    'outputs.rows.length === 2',
    'outputs["by day"].monday === 1',
  ])
  expect(proposedFrom({ result: 'succeeded', outputs: null, error: null })).toEqual([])
})

test('of a run that failed, its kind of failure', () => {
  const ended = { result: 'failed', outputs: { a: 1 }, error: { class: 'AssertionFailed' } }
  expect(proposedFrom(ended)).toEqual(['error.class === "AssertionFailed"'])
  expect(proposedFrom({ ...ended, error: null })).toEqual([])
})
