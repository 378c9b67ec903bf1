import { expect, test } from 'vitest'
import { asPairing, canLink, joinsFor, partnersOf } from './pairing.ts'

const pairing = asPairing({ per: 'account', profile: 'link', proxy: 'link' })

test('an item is made per one kind, the others join it', () => {
  expect(partnersOf('account')).toEqual(['profile', 'proxy', 'phone', 'video'])
  expect(partnersOf('video')).not.toContain('video')
})

test('only what another resource names can be taken by link', () => {
  expect(canLink(pairing, 'profile')).toBe(true)
  expect(canLink(pairing, 'video')).toBe(false)
  expect(canLink({ ...pairing, per: 'profile' }, 'phone')).toBe(false)
  expect(canLink({ ...pairing, per: 'video', profile: 'turn' }, 'proxy')).toBe(true)
  expect(canLink({ ...pairing, per: 'video', profile: 'none' }, 'proxy')).toBe(false)
})

test('a rule that is set stays to be seen', () => {
  expect(joinsFor(pairing, 'video')).toEqual(['turn', 'one', 'none'])
  expect(joinsFor({ ...pairing, video: 'link' }, 'video')).toContain('link')
})

test('what is no pairing becomes the usual one', () => {
  expect(asPairing(null)).toMatchObject({ per: 'account', profile: 'none' })
})
