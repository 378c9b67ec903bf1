import { expect, test } from 'vitest'
import { tallied, type HourOfChecks } from './tally.ts'

const good = { ok: true, latencyMs: 40, exitIp: '8.8.8.8', country: null } as const
const bad = { ok: false, error: 'timeout' } as const
const hours = (n: number) => new Date(Date.UTC(2030, 0, 1) + n * 3_600_000)
const first = hours(0).getTime() / 3_600_000

test('counts the checks of a day by the hour, and forgets what is older', () => {
  let known: readonly HourOfChecks[] = []
  for (const [at, outcome] of [
    [0, good],
    [0.5, bad],
    [1, good],
    [1.9, good],
  ] as const)
    known = tallied(known, hours(at), outcome).hours
  expect(tallied(known, hours(2))).toEqual({
    hours: [
      [first, 1, 1],
      [first + 1, 2, 0],
    ],
    ratio: 0.75,
    until: hours(24),
  })
  expect(tallied(known, hours(23.9)).ratio).toBe(0.75)
  expect(tallied(known, hours(24))).toMatchObject({ ratio: 1, until: hours(25) })
  expect(tallied(known, hours(25))).toEqual({ hours: [], ratio: null, until: null })
})

test('what says nothing of the proxy is not counted', () => {
  const down = { ok: false, error: 'check_address_down' } as const
  expect(tallied([], hours(0), down)).toEqual({ hours: [], ratio: null, until: null })
})
