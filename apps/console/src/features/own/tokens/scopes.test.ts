import { expect, test } from 'vitest'
import { ownScopes, scopesOf, toggled } from './scopes.ts'

test('a token is offered what its person may do, and nothing else', () => {
  const can = (action: string, subject: string) => subject === 'CAMPAIGN' && ['VIEW', 'RUN'].includes(action)
  expect(ownScopes(can)).toEqual([{ subject: 'CAMPAIGN', actions: ['VIEW', 'RUN'] }])
  expect(ownScopes(() => true).map(({ subject }) => subject)).not.toContain('AUTH')
})

test('what is chosen and left again is not sent', () => {
  let chosen = toggled({}, 'CLIENT', 'UPDATE', true)
  chosen = toggled(chosen, 'CLIENT', 'VIEW', true)
  chosen = toggled(chosen, 'REPORT', 'VIEW', true)
  chosen = toggled(chosen, 'REPORT', 'VIEW', false)
  expect(scopesOf(chosen)).toEqual([{ subject: 'CLIENT', actions: ['VIEW', 'UPDATE'] }])
})
