import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../kit/app-error.ts'

const COMMON = new Set(
  readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
    .split('\n')
    .filter(Boolean),
)

type Names = readonly (string | null | undefined)[]

/** Whether a password is one of those that are tried first: the most common ones, and the person's own names. */
export function isCommonPassword(password: string, names: Names): boolean {
  const plain = password.toLowerCase()
  return COMMON.has(plain) || names.some((name) => name && plain === name.toLowerCase())
}

/** Refuses such a password. */
export function checkPassword(password: string, names: Names, field = 'password'): void {
  if (!isCommonPassword(password, names)) return
  const message = 'This password is among the most common ones.'
  throw new AppError('password.common', {}, { errors: [{ path: field, code: 'password.common', message }] })
}
