import { expect, test } from 'vitest'
import type { ViewState } from '@weft/contract/views/schema'
import { AS_IT_COMES } from '../arrangement.ts'
import type { ListState } from '../url-state.ts'
import { isChanged, stateOfView, viewStateOf } from './view-state.ts'

const state: ListState = {
  q: 'a',
  page: 3,
  perPage: 50,
  sortBy: 'name',
  sortDesc: true,
  filters: { status: 'new,ready', type: 'x' },
  view: null,
}
const known = { filterNames: ['type', 'status'], sortable: ['name'] }

test('a view keeps all but the page, and brings it back', () => {
  const kept = viewStateOf(state, AS_IT_COMES)
  expect(stateOfView('v1', kept, known)).toEqual({ ...state, page: 1, view: 'v1' })
})

test('what the list does not know any more is left out', () => {
  const kept: ViewState = {
    ...viewStateOf(state, AS_IT_COMES),
    sortBy: 'gone',
    filters: { gone: '1', type: 'x' },
  }
  expect(stateOfView('v1', kept, known)).toMatchObject({
    sortBy: null,
    sortDesc: false,
    filters: { type: 'x' },
  })
})

test('it counts as changed only where it shows something else', () => {
  const kept = viewStateOf(state, AS_IT_COMES)
  const reordered = { ...kept, filters: { type: 'x', status: 'new,ready' }, columns: null }
  expect(isChanged(kept, reordered)).toBe(false)
  expect(isChanged(kept, { ...kept, q: 'b' })).toBe(true)
  expect(isChanged(kept, { ...kept, columns: { ...AS_IT_COMES, pinned: ['name'] } })).toBe(true)
  expect(
    isChanged({ ...kept, sortBy: null, sortDesc: true }, { ...kept, sortBy: null, sortDesc: false }),
  ).toBe(false)
})
