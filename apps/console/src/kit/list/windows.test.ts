import { describe, expect, test } from 'vitest'
import {
  afterScroll,
  drawnHeight,
  drawnRows,
  mostDrawn,
  MOST_HEIGHT,
  nearWindows,
  offsetOf,
  ROW_HEIGHT,
  scrollTopOf,
} from './windows.ts'

describe('windows of rows', () => {
  test('are those in sight and near it, and always the first', () => {
    expect(nearWindows([1], 0, 30)).toEqual([1])
    expect(nearWindows([1], 95, 130)).toEqual([1, 2])
    expect(nearWindows([1, 2, 3], 250, 260)).toEqual([1, 2, 3])
    expect(nearWindows([1, 2, 3], 900_000, 900_030)).toEqual([1, 9001])
    expect(nearWindows([1, 8997, 8999], 900_000, 900_030)).toEqual([1, 8999, 9001])
  })
})

describe('a list that fits', () => {
  const extent = { count: 1000, view: 500 }
  test('scrolls pixel by pixel', () => {
    expect(drawnHeight(extent)).toBe(1000 * ROW_HEIGHT)
    expect(offsetOf(1234, extent)).toBeCloseTo(1234)
    expect(afterScroll({ offset: 0, scrollTop: 0 }, 333, extent)).toBeCloseTo(333)
  })
  test('draws what is in sight and a little more', () => {
    const { first, last, top } = drawnRows({ offset: 4500, scrollTop: 4500 }, extent)
    expect(first).toBe(92)
    expect(last).toBe(120)
    expect(last - first + 1).toBeLessThanOrEqual(mostDrawn(extent.view))
    expect(top).toBe(92 * ROW_HEIGHT)
    expect(drawnRows({ offset: 0, scrollTop: 0 }, { count: 3, view: 500 })).toEqual({
      first: 0,
      last: 2,
      top: 0,
    })
  })
})

describe('a list higher than any element', () => {
  const extent = { count: 1_000_000, view: 500 }
  const deepest = 1_000_000 * ROW_HEIGHT - 500
  test('reaches its first and last row', () => {
    expect(drawnHeight(extent)).toBe(MOST_HEIGHT)
    expect(offsetOf(0, extent)).toBe(0)
    expect(offsetOf(MOST_HEIGHT - 500, extent)).toBe(deepest)
    const end = drawnRows({ offset: deepest, scrollTop: MOST_HEIGHT - 500 }, extent)
    expect(end.last).toBe(999_999)
    expect(end.top + (end.last - end.first + 1) * ROW_HEIGHT).toBeLessThanOrEqual(MOST_HEIGHT)
  })
  test('moves by just as much as the wheel turns', () => {
    const place = { offset: 20_000_000, scrollTop: scrollTopOf(20_000_000, extent) }
    expect(afterScroll(place, place.scrollTop + 100, extent)).toBe(20_000_100)
    expect(offsetOf(place.scrollTop, extent)).toBeCloseTo(20_000_000, 3)
  })
  test('jumps where the bar is dragged to', () => {
    const jumped = afterScroll({ offset: 0, scrollTop: 0 }, 4_000_000, extent)
    expect(jumped).toBeGreaterThan(22_000_000)
    expect(jumped).toBeLessThan(23_000_000)
    expect(afterScroll({ offset: 300, scrollTop: 300 }, 0, extent)).toBe(0)
  })
})
