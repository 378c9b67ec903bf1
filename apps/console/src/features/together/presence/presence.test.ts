import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BySteps } from '../by-steps.ts'
import { HUES, huesOf, initialsOf } from './hues.ts'
import { WhereaboutsTeller } from './whereabouts-teller.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('where somebody is, is told at once, then seldom, and the last place always', () => {
  const told: (string | null)[] = []
  const teller = new WhereaboutsTeller((stepId) => told.push(stepId))
  for (const step of ['a', 'b', 'c', 'd']) teller.at(step)
  expect(told).toEqual(['a'])
  vi.advanceTimersByTime(400)
  expect(told).toEqual(['a', 'd'])
  vi.advanceTimersByTime(4000)
  teller.at('d')
  expect(told).toEqual(['a', 'd'])
  // A connection that is new has heard nothing.
  teller.again()
  expect(told).toEqual(['a', 'd', 'd'])
  teller.at('e')
  teller.stop()
  vi.advanceTimersByTime(4000)
  expect(told).toEqual(['a', 'd', 'd'])
})

test('everybody has a colour of their own while there are enough', () => {
  const ids = Array.from({ length: HUES }, (_, n) => `person ${n}`)
  expect(new Set(huesOf(ids).values()).size).toBe(HUES)
  expect(huesOf([...ids, 'one more']).size).toBe(HUES + 1)
  expect(huesOf(['x']).get('x')).toBe(huesOf(['x', 'y']).get('x'))
})

test('a name has letters that stand for it, in any script', () => {
  expect(['Ann Lee', 'ben', 'c.d@example', 'ليلى حسن', ' '].map(initialsOf)).toEqual([
    'AL',
    'B',
    'CE',
    'لح',
    '',
  ])
})

test('a step hears of its own changes only', () => {
  const steps = new BySteps<number>(0, (one, other) => one === other)
  const heard: string[] = []
  for (const id of ['a', 'b']) steps.subscribe(id, () => heard.push(id))
  steps.replace(new Map([['a', 1]]))
  steps.replace(
    new Map([
      ['a', 1],
      ['b', 2],
    ]),
  )
  steps.replace(new Map([['b', 2]]))
  expect(heard).toEqual(['a', 'b', 'a'])
  expect([steps.get('a'), steps.get('b')]).toEqual([0, 2])
})
