import { expect, test } from 'vitest'
import { lacksAddress } from './opening.ts'

test('an address that is missing is told beside its field, any other failure as ever', () => {
  const failed = (code: string) =>
    Object.assign(new Error(code), { httpStatus: 409, body: { status: 'Error', code, message: code } })
  expect(lacksAddress(failed('attended.no_address'))).toBe(true)
  expect(lacksAddress(failed('attended.no_client'))).toBe(false)
  expect(lacksAddress(null)).toBe(false)
})
