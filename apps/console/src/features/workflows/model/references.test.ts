import { expect, test } from 'vitest'
import { sketch, type StepSketch } from '@weft/workflow/testing/builder'
import { referencesFor } from './references.ts'

const open = (id: string): StepSketch => ({ id, type: 'open-page', state: { url: 'http://a/' } })

const DOCUMENT = sketch([
  open('first'),
  { ...open('off'), disabled: true },
  {
    id: 'choice',
    type: 'condition',
    state: { condition: 'true' },
    bodies: { true: [open('yes'), open('yes2')], false: [open('no')] },
  },
  {
    id: 'again',
    type: 'repeat-until',
    state: { until: 'true', maxTimes: 3 },
    bodies: { body: [open('early'), open('late')] },
  },
  {
    id: 'guard',
    type: 'try-catch',
    state: {},
    bodies: { try: [open('tried')], catch: [open('caught')], finally: [] },
  },
  open('last'),
])

/** The steps whose outputs are offered at a step; with a question mark those that may be missing. */
function reach(id: string): string[] {
  const steps = referencesFor(DOCUMENT, id).flatMap(({ group, expression, maybe }) =>
    group === 'steps' ? [`${expression.split('.')[1] ?? ''}${maybe ? '?' : ''}`] : [],
  )
  return [...new Set(steps)]
}

test.each([
  ['first', []],
  // The nearest first; nothing that is off, and nothing of what it lies in.
  ['yes2', ['yes', 'first']],
  // Branches shut each other out.
  ['no', ['first']],
  // In a loop what comes later may be there from the pass before; a branch that is past may not have been taken.
  ['early', ['late?', 'choice', 'no?', 'yes2?', 'yes?', 'first']],
  // Of what was tried, a part may be done.
  ['caught', ['tried?', 'again', 'late', 'early', 'choice', 'no?', 'yes2?', 'yes?', 'first']],
])('at %s', (id, expected) => {
  expect(reach(id).toSorted()).toEqual([...expected].toSorted())
})

test('a loop can ask in its condition for what its body gave', () => {
  expect(reach('again')).toEqual(expect.arrayContaining(['late', 'early']))
})
