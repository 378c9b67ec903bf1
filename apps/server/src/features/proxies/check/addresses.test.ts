import { expect, test } from 'vitest'
import { addressOf, isLocalHost, listOf, mayReach, meantAddress } from './addresses.ts'

const rules = { open: listOf(['10.1.0.0/16', 'fd12::/16']), ownPorts: new Set([4600]) }

test.each([
  ['8.8.8.8', true],
  ['2001:4860:4860::8888', true],
  ['10.1.2.3', true],
  ['10.2.2.3', false],
  ['::ffff:10.1.2.3', true],
  ['::ffff:192.168.1.1', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['64:ff9b::808:808', true],
  ['2002:7f00:1::', false],
  ['2001:0:1::', false],
  ['fd12::1', true],
  ['fd13::1', false],
  ['fe80::1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['::1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
])('%s may be reached: %s', (address, may) => {
  expect(mayReach(address, 8080, rules)).toBe(may)
})

test('an address within an address is the one that is meant', () => {
  expect(meantAddress('::ffff:1.2.3.4')).toBe('1.2.3.4')
  expect(meantAddress('64:ff9b::102:304')).toBe('1.2.3.4')
  expect(meantAddress('2002:102:304::1')).toBe('1.2.3.4')
  expect(meantAddress('::1')).toBe('::1')
  expect(meantAddress('2001:4860:4860::8888')).toBe('2001:4860:4860::8888')
})

test('our own ports stay closed, though the network is open', () => {
  const open = { ...rules, open: listOf(['127.0.0.0/8']) }
  expect(mayReach('127.0.0.1', 4600, open)).toBe(false)
  expect(mayReach('127.0.0.1', 4700, open)).toBe(true)
  expect(mayReach('8.8.8.8', 4600, open)).toBe(true)
})

test.each([
  ['localhost', true],
  ['[::1]', true],
  ['192.168.1.5', true],
  ['weft', true],
  ['weft.lan', true],
  ['weft.example.org', false],
  ['8.8.8.8', false],
])('%s is local: %s', (host, local) => {
  expect(isLocalHost(host)).toBe(local)
})

test('looking a host up ends when it takes too long', async () => {
  const late = new AbortController()
  const looking = addressOf('nobody.invalid', 8080, rules, late.signal)
  late.abort(new Error('too late'))
  await expect(looking).rejects.toThrow('too late')
})
