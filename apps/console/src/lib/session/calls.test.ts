import { expect, test } from 'vitest'
import { access, recovery, twoSteps } from '@weft/contract/access/api'
import { system } from '@weft/contract/system/api'
import { ACCESS_CALLS, CONFIG_CALL, VISITOR_CALLS } from './calls.ts'

test('the calls of boot and sign-in are where the contract says', () => {
  expect(CONFIG_CALL).toBe(system.config.path)
  for (const [name, path] of Object.entries(ACCESS_CALLS))
    expect(path).toBe(access[name as keyof typeof ACCESS_CALLS].path)
  const all = [access, recovery, twoSteps].flatMap((api) => Object.values(api))
  const paths = new Map<string, string>(all.map(({ name, path }) => [name, path]))
  for (const [name, path] of Object.entries(VISITOR_CALLS)) expect(path).toBe(paths.get(name))
})
