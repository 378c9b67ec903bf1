import { describe, expect, it } from 'vitest'
import { totp } from './secrets.ts'

describe('one-time codes', () => {
  // The seed and the moments of the examples in RFC 6238; sites use their last six digits.
  const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('at second %i', (second, code) => {
    expect(totp(seed, second * 1000)).toBe(code)
  })

  it('takes seeds as people copy them, and refuses what is none', () => {
    expect(totp('gezd gnbv gy3t qojq-GEZDGNBVGY3TQOJQ==', 59_000)).toBe('287082')
    expect(() => totp('not base32!', 0)).toThrow('base32')
  })
})
