import { describe, expect, it } from 'vitest'
import { isCommonPassword } from './password-rules.ts'

describe('a password', () => {
  it.each([
    'iloveyou1',
    'PassWord1',
    'qwertyuiop',
    '12345678',
    'aaaaaaaa',
    'abababab',
    'Weft2026!',
    '!!campaign!!',
    'ada.admin',
    'ada.admin2026',
    'Ada@Example.org',
  ])('like %s is refused', (password) => {
    expect(isCommonPassword(password, ['ada.admin', 'ada@example.org', null])).toBe(true)
  })

  it.each([
    'a-long-enough-password',
    'correct horse battery',
    'كلمة سر طويلة',
    '7391 0264 5518',
    'weftrolandwoof',
  ])('like %s is taken', (password) => {
    expect(isCommonPassword(password, ['ada.admin', 'ada@example.org', null])).toBe(false)
  })
})
