import { expect, test } from 'vitest'
import { addLines, linesOf, mergeStored, MOST_LINES, named } from './stream.ts'

const message = (texts: string[]) => ({
  runId: 'r1',
  campaignId: 'c1',
  lines: texts.map((text) => ({ at: '2026-05-05T10:00:00Z', level: 'info', stepId: null, text })),
})

test('lines of a live message carry their run', () => {
  expect(linesOf(message(['a', 'b'])).map(({ runId, text }) => [runId, text])).toEqual([
    ['r1', 'a'],
    ['r1', 'b'],
  ])
  expect(linesOf({ anything: 'else' })).toEqual([])
  expect(linesOf({ ...message([]), lines: [{ at: 'x', level: 'loud', stepId: null, text: 'no' }] })).toEqual(
    [],
  )
})

test('only the newest lines are kept', () => {
  const many = linesOf(message(Array.from({ length: MOST_LINES + 5 }, (_, at) => `${at}`)))
  const kept = addLines([], many)
  expect(kept).toHaveLength(MOST_LINES)
  expect(kept[0]?.text).toBe('5')
  expect(addLines(kept, [])).toBe(kept)
})

test('a line names the item it is about, once that is known', () => {
  const [line] = linesOf(message(['opened']))
  expect(line && named(line, new Map([['r1', '#3 amina']])).text).toBe('#3 amina  opened')
  expect(line && named(line, new Map()).text).toBe('opened')
})

test('stored lines come before the live ones, and none twice', () => {
  const line = (text: string, second: number) => ({
    runId: 'r1',
    at: `2026-05-05T10:00:0${second}Z`,
    level: 'info' as const,
    stepId: null,
    text,
  })
  const live = [line('b', 2), line('c', 3)]
  expect(mergeStored(live, [line('a', 1), line('b', 2)]).map(({ text }) => text)).toEqual(['a', 'b', 'c'])
  expect(mergeStored(live, [line('c', 3)])).toBe(live)
})
