import { describe, expect, it } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

const at = (time: string) => new Date(`2026-11-21T${time}:30Z`)

describe('quiet hours', () => {
  it('hold within a day and past midnight, and tell when they end', () => {
    expect(quietUntil('12:00-13:00', at('12:30'), 'UTC')?.toISOString()).toBe('2026-11-21T13:00:00.000Z')
    expect(quietUntil('22:00-06:00', at('23:15'), 'UTC')?.toISOString()).toBe('2026-11-22T06:00:00.000Z')
    expect(quietUntil('22:00-06:00', at('05:59'), 'UTC')?.toISOString()).toBe('2026-11-21T06:00:00.000Z')
  })
  it('do not hold outside, when none are set, or when empty', () => {
    expect(quietUntil('12:00-13:00', at('13:00'), 'UTC')).toBeNull()
    expect(quietUntil(null, at('13:00'), 'UTC')).toBeNull()
    expect(quietUntil('12:00-12:00', at('12:00'), 'UTC')).toBeNull()
  })
  it('are read in the zone they are meant in', () => {
    expect(quietUntil('12:00-13:00', at('11:30'), 'Europe/Paris')?.toISOString()).toBe(
      '2026-11-21T12:00:00.000Z',
    )
  })
})
