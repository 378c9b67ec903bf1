import { expect, test } from 'vitest'
import { neededScope } from '@weft/workflow/interpret/needed-scope'
import { answerOfPaths } from '@weft/workflow/interpret/plain-paths'
import { sketch } from '@weft/workflow/testing/builder'
import { knownValues, membersAt, prepare, typeOfValue, valueLine } from './known-values.ts'

const DOCUMENT = sketch([{ id: 'a', type: 'log', state: { message: 'x' } }], {
  inputs: [
    { name: 'city', type: 'text', required: true, default: 'Oslo' },
    { name: 'word', type: 'text', required: true, secret: true },
  ],
  variables: [{ name: 'count', type: 'number', default: 2 }],
})
const left = { inputs: { word: '•••' }, vars: { count: 5 }, steps: { a: { rows: [1, 2] } }, item: {} }
const known = knownValues(DOCUMENT, left)
const secrets = new Set(['word'])

test('what the last test run left comes before what is declared', () => {
  expect(known).toMatchObject({
    inputs: { city: 'Oslo' },
    vars: { count: 5 },
    steps: { a: { rows: [1, 2] } },
  })
  expect(knownValues(DOCUMENT, null).vars).toEqual({ count: 2 })
})

test.each([
  ['{{ inputs.city }}', 'template', 'ready'],
  ['inputs.city + vars.count', 'expression', 'ready'],
  ['{{ secrets.KEY }}', 'template', 'secret'],
  ['{{ inputs.word }}', 'template', 'secret'],
  // A secret may be in all of the inputs.
  ['Object.values(inputs)', 'expression', 'secret'],
  ['{{ steps.b.value }}', 'template', 'unknown'],
  ['loop.index', 'expression', 'unknown'],
  ['{{ inputs.city', 'template', 'broken'],
  ['window.alert(1)', 'expression', 'broken'],
] as const)('%j (%s) is %s', (text, kind, expected) => {
  expect(prepare(text, kind, known, secrets).kind).toBe(expected)
})

test('plain paths are answered at once, all else is for the sandbox', () => {
  const request = (text: string) => {
    const prepared = prepare(text, 'template', known, secrets)
    if (prepared.kind !== 'ready') throw new Error(prepared.kind)
    return prepared.request
  }
  expect(answerOfPaths(known, request('In {{ inputs.city }}, {{ vars.count }}'))).toBe('In Oslo, 5')
  expect(answerOfPaths(known, request('{{ steps.a.rows }}'))).toEqual([1, 2])
  expect(answerOfPaths(known, request('{{ vars.count + 1 }}'))).toBeUndefined()
  // Only what is used travels, and no secret.
  expect(neededScope(known, [request('{{ vars.count + 1 }}')]).scope).toMatchObject({
    inputs: {},
    vars: { count: 5 },
    steps: {},
    secrets: {},
    loop: null,
  })
})

test('members of a record that was left can be named, where their names can be written after a dot', () => {
  const seen = knownValues(DOCUMENT, { ...left, steps: { a: { row: { city: 'Oslo', 'two words': 1 } } } })
  expect(membersAt(seen, 'steps.a.row')).toEqual([{ path: 'steps.a.row.city', value: 'Oslo' }])
  expect(membersAt(seen, 'steps.a.row.city')).toEqual([])
  expect([[1], {}, null, 'x', true].map(typeOfValue)).toEqual(['list', 'object', 'any', 'text', 'boolean'])
})

test('a value is one line of limited length', () => {
  expect(valueLine('a\n  b')).toBe('a b')
  expect(valueLine({ a: [1] })).toBe('{"a":[1]}')
  expect(valueLine('x'.repeat(1000))).toHaveLength(301)
})
