import { expect, test } from 'vitest'
import { AppError } from './app-error.ts'
import { isPassing } from './passing.ts'

test('a database that is away passes, also where the answer to people hides it; what is refused does not', () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const crossed = Object.assign(new Error('deadlock detected'), { code: '40P01' })
  expect(isPassing(new AppError('system.database_unavailable', {}, { cause: away }))).toBe(true)
  expect(isPassing(new Error('failed query', { cause: away }))).toBe(true)
  expect(isPassing(new Error('failed query', { cause: crossed }))).toBe(true)
  expect(isPassing(new AppError('access.denied'))).toBe(false)
  expect(isPassing(Object.assign(new Error('wrong'), { code: '23505' }))).toBe(false)
  expect(isPassing(new TypeError('a mistake'))).toBe(false)
})
