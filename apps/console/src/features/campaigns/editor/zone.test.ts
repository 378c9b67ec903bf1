import { expect, test } from 'vitest'
import { allZones, ownZone } from './zone.ts'

test('the zones begin with the own one', () => {
  expect(allZones()[0]).toBe(ownZone())
  expect(allZones()).toContain('UTC')
})
