import { describe, expect, test } from 'vitest'
import {
  AS_IT_COMES,
  inOrder,
  isAsItComes,
  LEAST_WIDTH,
  moveColumn,
  pinColumn,
  placeColumns,
  resizeColumn,
  showColumn,
  shownColumns,
} from './arrangement.ts'
import type { Column } from './columns.tsx'

const column = (id: string, more: Partial<Column<object>> = {}): Column<object> => ({
  id,
  render: () => null,
  ...more,
})
const columns = [
  column('name', { isName: true }),
  column('type'),
  column('email', { hidden: true }),
  column('tags'),
]
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe('the order of columns', () => {
  test('is the list’s own until something is moved', () => {
    expect(isAsItComes(AS_IT_COMES)).toBe(true)
    expect(ids(inOrder(columns, AS_IT_COMES))).toEqual(['name', 'type', 'email', 'tags'])
    expect(ids(shownColumns(columns, AS_IT_COMES))).toEqual(['name', 'type', 'tags'])
  })
  test('holds what was moved; a column that is new in the product stands after the one it follows', () => {
    const moved = moveColumn(columns, AS_IT_COMES, 'tags', 0)
    expect(moved.order).toEqual(['tags', 'name', 'type', 'email'])
    const grown = [...columns.slice(0, 2), column('fresh'), ...columns.slice(2)]
    expect(ids(inOrder(grown, moved))).toEqual(['tags', 'name', 'type', 'fresh', 'email'])
    expect(ids(inOrder([column('first'), ...columns], moved))[0]).toBe('first')
    expect(isAsItComes(moveColumn(columns, moved, 'tags', 3))).toBe(true)
  })
  test('forgets columns that are gone, and does not move beyond its ends', () => {
    expect(ids(inOrder(columns, { ...AS_IT_COMES, order: ['gone', 'tags'] }))).toEqual([
      'name',
      'type',
      'email',
      'tags',
    ])
    expect(moveColumn(columns, AS_IT_COMES, 'name', -3)).toBe(AS_IT_COMES)
    expect(moveColumn(columns, AS_IT_COMES, 'name', 99).order.at(-1)).toBe('name')
    expect(moveColumn(columns, AS_IT_COMES, 'gone', 1)).toBe(AS_IT_COMES)
  })
  test('has pinned columns first, which move among themselves only', () => {
    const pinned = pinColumn(pinColumn(AS_IT_COMES, 'tags', true), 'type', true)
    expect(ids(inOrder(columns, pinned))).toEqual(['type', 'tags', 'name', 'email'])
    expect(ids(inOrder(columns, moveColumn(columns, pinned, 'name', 0)))).toEqual([
      'type',
      'tags',
      'name',
      'email',
    ])
    expect(ids(inOrder(columns, moveColumn(columns, pinned, 'type', 3)))).toEqual([
      'tags',
      'type',
      'name',
      'email',
    ])
    expect(pinColumn(pinned, 'tags', false).pinned).toEqual(['type'])
  })
})

describe('what a column takes', () => {
  test('is shown or not, but for the name, which always is', () => {
    const off = showColumn(showColumn(AS_IT_COMES, 'name', false), 'email', true)
    expect(ids(shownColumns(columns, off))).toEqual(['name', 'type', 'email', 'tags'])
  })
  test('is never narrower than can be read', () => {
    expect(resizeColumn(AS_IT_COMES, 'type', 3).widths).toEqual({ type: LEAST_WIDTH })
    expect(resizeColumn(resizeColumn(AS_IT_COMES, 'type', 120.4), 'type', null).widths).toEqual({})
  })
  test('pinned ones stand one after the other, behind the boxes', () => {
    const arranged = resizeColumn(pinColumn(pinColumn(AS_IT_COMES, 'name', true), 'type', true), 'name', 150)
    expect(placeColumns(columns, arranged, 40)).toMatchObject([
      { width: 150, start: 40, edge: false },
      { width: 200, start: 190, edge: true },
      { width: undefined, start: undefined, edge: false },
    ])
  })
})
