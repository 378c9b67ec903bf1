import { describe, expect, it } from 'vitest'
import { settle, type Ending } from './settle.ts'

const ending: Ending = {
  result: 'failed',
  error: { class: 'Timeout', message: 'Too slow.', stepId: 'open', stepName: 'Open' },
  attempt: 1,
  maxAttempts: 3,
  backoffSeconds: 5,
  openIntents: [],
  confirmed: [],
  cancelRequested: false,
  began: true,
}

describe('what becomes of an item whose run is over', () => {
  it('is done when the run succeeded, whatever was announced', () => {
    expect(settle({ ...ending, result: 'succeeded', error: null, confirmed: ['post'] }).event).toBe('succeed')
  })
  it('is tried again with growing pauses while attempts remain, then failed', () => {
    expect(settle(ending)).toMatchObject({ event: 'tryAgain', retryInSeconds: 5 })
    expect(settle({ ...ending, attempt: 2 })).toMatchObject({ event: 'tryAgain', retryInSeconds: 10 })
    expect(settle({ ...ending, attempt: 3 })).toMatchObject({ event: 'fail', error: { class: 'Timeout' } })
  })
  it('is uncertain when an irreversible step was announced and not confirmed', () => {
    for (const result of ['lost', 'failed', 'timed_out', 'cancelled'] as const)
      expect(settle({ ...ending, result, openIntents: ['loop/2/post'] })).toMatchObject({
        event: 'doubt',
        error: { class: 'EffectUnknown', stepId: 'post' },
      })
  })
  it('is uncertain, never repeated, when the step was done but the run failed later', () => {
    expect(settle({ ...ending, confirmed: ['post'] })).toMatchObject({
      event: 'doubt',
      error: { class: 'EffectDone' },
    })
  })
  it('is cancelled when a person asked for it', () => {
    expect(settle({ ...ending, result: 'cancelled' }).event).toBe('cancel')
    expect(settle({ ...ending, result: 'lost', cancelRequested: true }).event).toBe('cancel')
  })
  it('does not count an agent that was lost against the item, within reason', () => {
    expect(settle({ ...ending, result: 'lost', attempt: 3 })).toMatchObject({
      event: 'tryAgain',
      retryInSeconds: 0,
    })
    expect(settle({ ...ending, result: 'lost', attempt: 6 }).event).toBe('fail')
  })
  it('goes back unharmed when it never began', () => {
    expect(settle({ ...ending, result: 'lost', began: false, error: null })).toEqual({
      event: 'giveBack',
      retryInSeconds: 0,
      error: null,
    })
    expect(settle({ ...ending, result: 'rejected', began: false }).event).toBe('giveBack')
    expect(settle({ ...ending, result: 'rejected', began: false, attempt: 3 }).event).toBe('fail')
  })
})
