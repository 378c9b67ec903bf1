import { expect, it } from 'vitest'
import { comparisonIn } from './comparison.ts'

it('tells the two sides of one comparison apart', () => {
  expect(comparisonIn("outputs.said === 'tea'")).toEqual({
    left: 'outputs.said',
    operator: '===',
    right: "'tea'",
  })
  expect(comparisonIn('steps.read.rows.length>=3')).toEqual({
    left: 'steps.read.rows.length',
    operator: '>=',
    right: '3',
  })
  expect(comparisonIn('!vars.a !== !vars.b')).toEqual({ left: '!vars.a', operator: '!==', right: '!vars.b' })
  expect(comparisonIn('vars.a ==!vars.b')).toEqual({ left: 'vars.a', operator: '==', right: '!vars.b' })
  // What stands within brackets, texts and calls is part of its side.
  expect(comparisonIn("vars.rows.filter((r) => r.n > 1).length < vars['a<b']")).toEqual({
    left: 'vars.rows.filter((r) => r.n > 1).length',
    operator: '<',
    right: "vars['a<b']",
  })
})

it('leaves everything else whole', () => {
  for (const other of [
    'vars.ok',
    '!vars.ok',
    'vars.a > 1 && vars.b > 1',
    'vars.a > 1 || vars.b',
    'vars.a > 1 ? vars.b : vars.c',
    'vars.a < vars.b < vars.c',
    'vars.a = 1',
    'vars.a >> 1',
    'vars.a ===',
    '=== vars.a',
    '',
  ])
    expect(comparisonIn(other), other).toBeNull()
})
