import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../kit/app-error.ts'

const COMMON = new Set(
  readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
    .split('\n')
    .filter(Boolean),
)

/** Refuses passwords that are tried first: the most common ones, and the person's own names. */
export function checkPassword(password: string, names: readonly (string | null | undefined)[]): void {
  const plain = password.toLowerCase()
  const own = names.some((name) => name && plain === name.toLowerCase())
  if (!own && !COMMON.has(plain)) return
  const message = 'This password is among the most common ones.'
  throw new AppError(
    'password.common',
    {},
    { errors: [{ path: 'password', code: 'password.common', message }] },
  )
}
