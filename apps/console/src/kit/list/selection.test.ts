import { expect, test } from 'vitest'
import { NOTHING, asSelection, chooseRange, chosenCount, togglePage, toggleRow } from './selection.ts'

const page = ['a', 'b', 'c', 'd']
const some = (...ids: string[]) => ({ kind: 'some' as const, ids: new Set(ids) })

test('rows are chosen and let go one by one', () => {
  expect(toggleRow(NOTHING, 'a', page)).toEqual(some('a'))
  expect(toggleRow(some('a', 'b'), 'a', page)).toEqual(some('b'))
})

test('letting go one of all that match leaves the other rows of the page', () => {
  expect(toggleRow({ kind: 'all' }, 'b', page)).toEqual(some('a', 'c', 'd'))
})

test('the shift key chooses all between, in either direction', () => {
  expect(chooseRange(NOTHING, 'b', 'd', page)).toEqual(some('b', 'c', 'd'))
  expect(chooseRange(some('a'), 'd', 'c', page)).toEqual(some('a', 'c', 'd'))
  expect(chooseRange(NOTHING, 'gone', 'c', page)).toEqual(some('c'))
})

test('the box of the head chooses the page and lets it go, keeping other pages', () => {
  expect(togglePage(some('z'), page)).toEqual(some('z', ...page))
  expect(togglePage(some('z', ...page), page)).toEqual(some('z'))
  expect(togglePage({ kind: 'all' }, page)).toEqual(NOTHING)
})

test('all that match is sent as the query without its paging', () => {
  expect(
    asSelection({ kind: 'all' }, { q: 'x', status: 'new', page: 3, perPage: 25, sortBy: 'name' }),
  ).toEqual({
    query: { q: 'x', status: 'new' },
  })
  expect(asSelection(some('a'), { q: 'x' })).toEqual({ ids: ['a'] })
  expect(chosenCount({ kind: 'all' }, 130)).toBe(130)
})
