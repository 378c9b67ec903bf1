import { expect, it } from 'vitest'
import { decisionsFor } from '../../../kit/access.ts'
import { narrowRules } from './narrow.ts'

const mine = { ownerId: '${user.id}' }

it('leaves of the rules what the scopes name, and no more', () => {
  const rules = narrowRules(
    [
      { action: ['VIEW', 'UPDATE', 'RUN'], subject: ['CAMPAIGN', 'WORKFLOW'], conditions: mine },
      { action: 'VIEW', subject: 'all' },
    ],
    [{ subject: 'CAMPAIGN', actions: ['VIEW', 'UPDATE', 'DELETE'] }],
  )
  expect(rules).toEqual([
    { action: ['VIEW', 'UPDATE'], subject: 'CAMPAIGN', conditions: mine },
    { action: ['VIEW'], subject: 'CAMPAIGN' },
  ])
})

it('keeps what is forbidden, in its place', () => {
  const rules = narrowRules(
    [
      { action: ['VIEW', 'DELETE'], subject: 'all' },
      { action: 'DELETE', subject: 'CAMPAIGN', inverted: true, conditions: { status: 'running' } },
    ],
    [{ subject: 'CAMPAIGN', actions: ['VIEW', 'DELETE'] }],
  )
  const { can } = decisionsFor(rules, 'me')
  expect(can('DELETE', 'CAMPAIGN', { status: 'draft' })).toBe(true)
  expect(can('DELETE', 'CAMPAIGN', { status: 'running' })).toBe(false)
  expect(can('VIEW', 'ACCOUNT')).toBe(false)
})

it('gives nothing for nothing', () => {
  expect(narrowRules([{ action: 'VIEW', subject: 'CAMPAIGN' }], [])).toEqual([])
  expect(
    narrowRules([{ action: 'VIEW', subject: 'CAMPAIGN' }], [{ subject: 'ACCOUNT', actions: ['VIEW'] }]),
  ).toEqual([])
})
