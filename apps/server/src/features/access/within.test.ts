import { expect, test } from 'vitest'
import { BUILT_IN_ROLES, type Rule } from '@weft/contract/core/permissions'
import { isBeyond } from './within.ts'

const { administrator, operator, viewer } = BUILT_IN_ROLES
const OWN = { ownerId: '${user.id}' }

test('an administrator holds every role, and nobody else the administrator’s', () => {
  for (const rules of [administrator, operator, viewer]) expect(isBeyond(rules, administrator)).toBe(false)
  expect(isBeyond(administrator, operator)).toBe(true)
  expect(isBeyond(operator, operator)).toBe(false)
})

test('seeing everything is beyond seeing one’s own', () => {
  const all: Rule = { action: 'VIEW', subject: 'CAMPAIGN' }
  expect(isBeyond([all], [{ ...all, conditions: OWN }])).toBe(true)
  expect(isBeyond([{ ...all, conditions: OWN }], [all])).toBe(false)
  expect(isBeyond(viewer, operator)).toBe(true)
})

test('all fields are beyond some', () => {
  const some: Rule = { action: 'UPDATE', subject: 'USER', fields: ['displayName'] }
  const all: Rule = { action: 'UPDATE', subject: 'USER' }
  expect(isBeyond([all], [some])).toBe(true)
  expect(isBeyond([some], [all])).toBe(false)
  expect(isBeyond([{ ...some, fields: ['displayName', 'email'] }], [some])).toBe(true)
})

test('what one’s own rules forbid cannot be given', () => {
  const forbidden: Rule = { action: 'REVEAL', subject: 'ACCOUNT', inverted: true }
  expect(isBeyond(administrator, [...administrator, forbidden])).toBe(true)
  expect(isBeyond(viewer, [...administrator, forbidden])).toBe(false)
})
