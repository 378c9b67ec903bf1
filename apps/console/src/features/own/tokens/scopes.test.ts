import { expect, test } from 'vitest'
import { scopesOf, toggled } from './scopes.ts'

test('what is chosen and left again is not sent', () => {
  let chosen = toggled({}, 'CLIENT', 'UPDATE', true)
  chosen = toggled(chosen, 'CLIENT', 'VIEW', true)
  chosen = toggled(chosen, 'REPORT', 'VIEW', true)
  chosen = toggled(chosen, 'REPORT', 'VIEW', false)
  expect(scopesOf(chosen)).toEqual([{ subject: 'CLIENT', actions: ['VIEW', 'UPDATE'] }])
})
