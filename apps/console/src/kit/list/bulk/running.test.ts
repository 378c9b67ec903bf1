import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keptIn } from '../../../lib/testing/kept-in.ts'
import { forgetBulk, rememberBulk, runningBulk } from './running.ts'

beforeEach(() => void vi.stubGlobal('sessionStorage', keptIn()))
afterEach(() => vi.unstubAllGlobals())

test('what goes on is remembered for its kind of records until it has ended', () => {
  rememberBulk('accounts', { id: 'a', state: 'running' })
  expect([runningBulk('accounts'), runningBulk('phones')]).toEqual(['a', null])
  rememberBulk('accounts', { id: 'a', state: 'finished' })
  expect(runningBulk('accounts')).toBeNull()
})

test('an older one that ends does not make a newer one forgotten', () => {
  rememberBulk('accounts', { id: 'a', state: 'running' })
  rememberBulk('accounts', { id: 'b', state: 'running' })
  rememberBulk('accounts', { id: 'a', state: 'finished' })
  forgetBulk('accounts', 'a')
  expect(runningBulk('accounts')).toBe('b')
})

test('a browser that forbids storage keeps nothing, and nothing breaks', () => {
  vi.stubGlobal('sessionStorage', undefined)
  rememberBulk('accounts', { id: 'a', state: 'running' })
  expect(runningBulk('accounts')).toBeNull()
})
