import { expect, test } from 'vitest'
import type { Campaign } from '@weft/contract/campaigns/schema'
import { isStalled } from './stall.ts'

const none = {
  planned: 0,
  ready: 0,
  leased: 0,
  running: 0,
  done: 0,
  failed: 0,
  uncertain: 0,
  skipped: 0,
  cancelled: 0,
}
const now = Date.parse('2026-05-05T10:00:00Z')
const campaign = (more: Partial<Campaign>) =>
  ({
    state: 'running',
    tally: { ...none, ready: 3 },
    ratePerMinute: null,
    stateChangedAt: '2026-05-05T09:50:00Z',
    ...more,
  }) as Campaign

test('a campaign stalls when items wait and none is under way', () => {
  expect(isStalled(campaign({}), now)).toBe(true)
  expect(isStalled(campaign({ tally: { ...none, ready: 3, running: 1 } }), now)).toBe(false)
  expect(isStalled(campaign({ tally: { ...none, done: 3 } }), now)).toBe(false)
  expect(isStalled(campaign({ ratePerMinute: 4 }), now)).toBe(false)
  expect(isStalled(campaign({ state: 'paused' }), now)).toBe(false)
})

test('one that has just begun is given a moment', () => {
  expect(isStalled(campaign({ stateChangedAt: '2026-05-05T09:59:45Z' }), now)).toBe(false)
})
