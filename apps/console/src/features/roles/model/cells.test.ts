import { expect, test } from 'vitest'
import { BUILT_IN_ROLES, type Rule } from '@weft/contract/core/permissions'
import {
  changedCells,
  EVERYTHING,
  matrixOf,
  nextCell,
  NOTHING,
  OWN,
  OWN_ONLY,
  rulesOf,
  stateOf,
} from './cells.ts'

test('rules become cells and cells the same rules again', () => {
  for (const rules of Object.values(BUILT_IN_ROLES)) {
    const matrix = matrixOf(rules)
    const again = rulesOf(matrix)
    expect(matrixOf(again)).toEqual(matrix)
    expect(again.length).toBeLessThanOrEqual(6)
  }
})

test('a cell says what its rules come to', () => {
  const state = (...rules: Partial<Rule>[]) =>
    stateOf(matrixOf(rules.map((rule) => ({ action: 'VIEW', subject: 'ACCOUNT', ...rule })))['ACCOUNT.VIEW'])
  expect(state()).toBe('no')
  expect(state({})).toBe('yes')
  expect(state({ conditions: OWN })).toBe('own')
  expect(state({ conditions: OWN }, {})).toBe('yes')
  expect(state({ fields: ['name'] })).toBe('some')
  expect(state({ conditions: { type: 'website' } })).toBe('some')
  expect(state({}, { inverted: true })).toBe('no')
  expect(state({}, { inverted: true, conditions: { type: 'website' } })).toBe('some')
})

test('a cell goes round, by own records only where there are owners', () => {
  expect(nextCell(undefined, true)).toBe(EVERYTHING)
  expect(nextCell(EVERYTHING, true)).toBe(OWN_ONLY)
  expect(nextCell(EVERYTHING, false)).toBe(NOTHING)
  expect(nextCell(OWN_ONLY, true)).toBe(NOTHING)
  expect(nextCell({ allows: [{ fields: ['name'] }], forbids: [] }, true)).toBe(NOTHING)
})

test('only cells that say something else count as changed', () => {
  const before = matrixOf(BUILT_IN_ROLES.viewer)
  expect(changedCells(before, { ...before, 'PROXY.RUN': NOTHING })).toEqual(new Set())
  expect(changedCells(before, { ...before, 'PROXY.VIEW': OWN_ONLY })).toEqual(new Set(['PROXY.VIEW']))
})
