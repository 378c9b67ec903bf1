import { expect, test } from 'vitest'
import { addEarlier, addLater, beginAt, TAIL_BYTES, type ReadLog } from './stored-log.ts'

const line = (text: string) => ({ at: '2026-05-05T10:00:00Z', level: 'info' as const, stepId: null, text })
const log: ReadLog = { lines: [line('b')], start: 100, next: 200, size: 200 }

test('a long log is read from near its end', () => {
  expect(beginAt(10)).toBe(0)
  expect(beginAt(TAIL_BYTES + 5)).toBe(5)
})

test('what comes later is added once', () => {
  const answer = { lines: [line('c')], next: 300, size: 300 }
  const later = addLater(log, answer, 200)
  expect(later.lines.map(({ text }) => text)).toEqual(['b', 'c'])
  expect(addLater(later, answer, 200)).toBe(later)
})

test('what stands before comes first', () => {
  const whole = addEarlier(log, { lines: [line('a'), line('b'), line('c')] }, 0)
  expect(whole.lines.map(({ text }) => text)).toEqual(['a', 'b'])
  expect(whole.start).toBe(0)
})
