import { describe, expect, it } from 'vitest'
import { consequence, EMPTY_TALLY } from './lifecycle.ts'

const none = { stopAfter: null, stopAfterPercent: null, failedBefore: 0, settledBefore: 0 }

describe('what follows for a campaign from its items', () => {
  it('completes when nothing is left to begin, and finishes when nothing is under way', () => {
    expect(consequence('running', { ...EMPTY_TALLY, running: 1, done: 3 }, none)?.event).toBe('exhaust')
    expect(consequence('completing', { ...EMPTY_TALLY, running: 1, done: 3 }, none)).toBeNull()
    expect(consequence('completing', { ...EMPTY_TALLY, done: 4 }, none)?.event).toBe('finish')
    expect(consequence('completing', { ...EMPTY_TALLY, done: 3, failed: 1 }, none)?.event).toBe(
      'finishWithErrors',
    )
  })
  it('goes back to running when an item is tried again', () => {
    expect(consequence('completing', { ...EMPTY_TALLY, ready: 1, done: 3 }, none)?.event).toBe('reopen')
  })
  it('waits for a person while an item is uncertain', () => {
    expect(consequence('completing', { ...EMPTY_TALLY, uncertain: 1, done: 3 }, none)).toBeNull()
  })
  it('is paused or cancelled only when nothing is under way', () => {
    expect(consequence('pausing', { ...EMPTY_TALLY, leased: 1 }, none)).toBeNull()
    expect(consequence('pausing', { ...EMPTY_TALLY, ready: 5 }, none)?.event).toBe('settlePause')
    expect(consequence('cancelling', { ...EMPTY_TALLY, planned: 1 }, none)).toBeNull()
    expect(consequence('cancelling', { ...EMPTY_TALLY, cancelled: 1 }, none)?.event).toBe('settleCancel')
  })
  it('pauses itself on too many errors, by number or by share', () => {
    const policy = { ...none, stopAfter: 2 }
    expect(consequence('running', { ...EMPTY_TALLY, ready: 5, failed: 1 }, policy)).toBeNull()
    expect(consequence('running', { ...EMPTY_TALLY, ready: 5, failed: 2 }, policy)).toEqual({
      event: 'pause',
      reason: 'errors',
    })
    const share = { ...none, stopAfterPercent: 20 }
    expect(consequence('running', { ...EMPTY_TALLY, ready: 5, failed: 3, done: 6 }, share)).toBeNull()
    const bad = { ...EMPTY_TALLY, ready: 5, failed: 3, done: 7 }
    expect(consequence('running', bad, share)?.event).toBe('pause')
    const forgiven = { failedBefore: 3, settledBefore: 10 }
    expect(consequence('running', bad, { ...share, ...forgiven })).toBeNull()
    expect(consequence('running', bad, { ...policy, ...forgiven })).toBeNull()
    expect(consequence('running', { ...bad, failed: 5 }, { ...policy, ...forgiven })?.event).toBe('pause')
  })
})
