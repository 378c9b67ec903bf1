import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AttendInput } from '@weft/contract/attended-runs/schema'
import { DomainLimits } from '../browser/domains.ts'
import { Hands } from './hands.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const text = (value: string): AttendInput => ({ type: 'text', text: value })

/** Hands whose looking at the first event never ends; what happened is told in order. */
function hands() {
  const happened: string[] = []
  const asked: { event: AttendInput; signal: AbortSignal }[] = []
  const made = new Hands({
    page: () => undefined,
    cdp: () => undefined,
    size: () => ({ width: 1, height: 1 }),
    limits: new DomainLimits([]),
    notice: () => undefined,
    answer: () => undefined,
    tabs: { open: () => Promise.resolve(), show: () => Promise.resolve(), close: () => Promise.resolve() },
    watch: {
      before: (event, signal) => {
        happened.push('before')
        asked.push({ event, signal })
        return asked.length === 1 ? new Promise(() => undefined) : Promise.resolve(true)
      },
      after: () => {
        happened.push('after')
        return Promise.resolve()
      },
      missed: () => void happened.push('missed'),
      opened: () => Promise.resolve(),
    },
  })
  return { made, happened, asked }
}

it('gives up on a look that takes too long before the next one begins, and says what was missed', async () => {
  const { made, happened, asked } = hands()
  made.play([text('a'), text('b')])
  await vi.advanceTimersByTimeAsync(2900)
  expect(happened).toEqual(['before'])
  expect(asked[0]?.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(asked[0]?.signal.aborted).toBe(true)
  expect(happened).toEqual(['before', 'missed', 'after', 'before', 'after'])
  expect(asked[1]?.signal.aborted).toBe(false)
})

it('goes on after something failed in its turn', async () => {
  const { made, happened } = hands()
  made.inTurn(() => Promise.reject(new Error('gone')))
  made.inTurn(() => Promise.resolve(void happened.push('next')))
  await vi.advanceTimersByTimeAsync(0)
  expect(happened).toEqual(['next'])
})
