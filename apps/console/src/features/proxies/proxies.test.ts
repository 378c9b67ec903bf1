import { expect, test } from 'vitest'
import { expiryOf } from './expiry.ts'
import { latencyTone } from './latency.ts'
import { proxyName } from './place.ts'

test('an end is expired, soon, later or never', () => {
  const now = Date.parse('2030-01-10T00:00:00Z')
  expect(expiryOf(null, now)).toBe('never')
  expect(expiryOf('2030-01-09T23:59:59Z', now)).toBe('expired')
  expect(expiryOf('2030-01-12T00:00:00Z', now)).toBe('soon')
  expect(expiryOf('2030-01-14T00:00:00Z', now)).toBe('later')
})

test('a latency has a tone', () => {
  expect([30, 800, 801, 2500, 2501].map(latencyTone)).toEqual(['green', 'green', 'amber', 'amber', 'red'])
})

test('an IPv6 address stands in brackets', () => {
  expect(proxyName({ host: '2001:db8::1', port: 80 })).toBe('[2001:db8::1]:80')
  expect(proxyName({ host: 'a.example', port: 80 })).toBe('a.example:80')
})
