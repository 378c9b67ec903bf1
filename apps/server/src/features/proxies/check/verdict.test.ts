import { expect, test } from 'vitest'
import { exitAddressIn } from './exit-address.ts'
import { verdict } from './verdict.ts'

const now = new Date('2030-01-01T00:00:00Z')
const at = { now, slowMs: 1000 }
const unverified = { status: 'unverified', failures: 0, retryAt: null } as const
const good = { ok: true, latencyMs: 40, exitIp: '8.8.8.8', country: 'US' } as const
const bad = { ok: false, error: 'timeout' } as const
const minutesUntil = (time: Date | null) => time && (time.getTime() - now.getTime()) / 60_000

test('a quick one is healthy, a slow one degraded', () => {
  expect(verdict(unverified, good, at)).toEqual({
    status: 'healthy',
    failures: 0,
    lastError: null,
    retryAt: null,
  })
  expect(verdict(unverified, { ...good, latencyMs: 1001 }, at).status).toBe('degraded')
})

test('three failures in a row quarantine, with ever longer waits; one success makes good', () => {
  let known: Parameters<typeof verdict>[0] = unverified
  const waits: (number | null)[] = []
  const states: string[] = []
  for (let n = 0; n < 10; n += 1) {
    known = verdict(known, bad, at)
    states.push(known.status)
    waits.push(minutesUntil(known.retryAt))
  }
  expect(states.slice(0, 4)).toEqual(['failing', 'failing', 'quarantined', 'quarantined'])
  expect(waits).toEqual([1, 2, 5, 15, 60, 240, 720, 1440, 1440, 1440])
  expect(verdict(known, good, at)).toMatchObject({ status: 'healthy', failures: 0, retryAt: null })
})

test('a check address that is down is held against nobody', () => {
  const quarantined = { status: 'quarantined', failures: 4, retryAt: now } as const
  expect(verdict(quarantined, { ok: false, error: 'check_address_down' }, at)).toMatchObject({
    status: 'quarantined',
    failures: 4,
    lastError: 'check_address_down',
  })
  expect(verdict(unverified, { ok: false, error: 'check_address_local' }, at)).toMatchObject({
    status: 'unverified',
    failures: 0,
    retryAt: null,
  })
})

test.each([
  ['{"address":"1.2.3.4","at":"now"}', '1.2.3.4'],
  ['{"ip":"2001:db8::1"}', '2001:db8::1'],
  ['{"origin":"1.2.3.4, 10.0.0.1"}', '1.2.3.4'],
  ['  1.2.3.4\n', '1.2.3.4'],
  ['<html>1.2.3.4</html>', null],
  ['{"ip":7}', null],
  ['{broken', null],
  ['', null],
])('the address in %s', (body, address) => {
  expect(exitAddressIn(body)).toBe(address)
})
