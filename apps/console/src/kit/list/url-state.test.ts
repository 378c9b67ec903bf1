import { expect, test } from 'vitest'
import {
  changeListState,
  isNarrowed,
  listInput,
  nextSort,
  parseListState,
  saysNothing,
  withoutFilters,
  writeListState,
  type ListDefaults,
} from './url-state.ts'

const defaults: ListDefaults = {
  perPage: 25,
  sort: null,
  filterNames: ['status', 'projectId'],
  sortable: ['name', 'createdAt'],
}
const parse = (text: string, prefix = '') => parseListState(new URLSearchParams(text), prefix, defaults)
const write = (text: string, prefix = '') =>
  writeListState(new URLSearchParams(text), prefix, parse(text, prefix), defaults).toString()

test('an empty address is the first page of the usual list', () => {
  expect(parse('')).toEqual({
    q: '',
    page: 1,
    perPage: 25,
    sortBy: null,
    sortDesc: false,
    filters: {},
    view: null,
  })
})

test('what an address says comes back when it is written', () => {
  const address = 'q=ab&page=3&perPage=50&sortBy=name&sortDesc=true&status=ready%2Cnew'
  expect(write(address)).toBe(address)
})

test('a page below one, a strange size and an unknown sort count as absent', () => {
  expect(parse('page=0&perPage=7&sortBy=password')).toMatchObject({ page: 1, perPage: 25, sortBy: null })
  expect(parse('page=-3').page).toBe(1)
  expect(parse('page=1.5').page).toBe(1)
  expect(parse('page=x').page).toBe(1)
})

test('every size on offer and All are taken', () => {
  for (const size of [5, 10, 20, 25, 50, 100, -1]) expect(parse(`perPage=${size}`).perPage).toBe(size)
})

test('filters that the list does not have are left out, and other parameters of the page stay', () => {
  expect(parse('colour=red&status=new').filters).toEqual({ status: 'new' })
  expect(write('tab=items&page=1')).toBe('tab=items')
})

test('two lists of a page do not read each other', () => {
  expect(parse('items.page=4&page=2', 'items').page).toBe(4)
  expect(write('page=2&items.page=4', 'items')).toBe('page=2&items.page=4')
})

test('a change of anything but the page goes back to the first page', () => {
  const state = parse('page=4')
  expect(changeListState(state, { page: 5 }).page).toBe(5)
  expect(changeListState(state, { q: 'x' }).page).toBe(1)
  expect(changeListState(state, { perPage: 50 }).page).toBe(1)
})

test('a column sorts up, then down, then no more', () => {
  let state = parse('')
  state = { ...state, ...nextSort(state, 'name') }
  expect(state).toMatchObject({ sortBy: 'name', sortDesc: false })
  state = { ...state, ...nextSort(state, 'name') }
  expect(state).toMatchObject({ sortBy: 'name', sortDesc: true })
  expect(nextSort(state, 'name')).toEqual({ sortBy: null, sortDesc: false })
  expect(nextSort(state, 'createdAt')).toEqual({ sortBy: 'createdAt', sortDesc: false })
})

test('the call gets the filters, what the page fixes, and for All a window', () => {
  const state = parse('status=new&perPage=-1')
  expect(listInput(state, { id: 'c1' }, { page: 2, size: 100 })).toEqual({
    status: 'new',
    id: 'c1',
    page: 2,
    perPage: 100,
  })
})

test('a view is part of the address, and a change of the list keeps it', () => {
  const state = parse('page=2&view=abc')
  expect(state.view).toBe('abc')
  expect(changeListState(state, { view: 'none' }).page).toBe(2)
  expect(changeListState(state, { q: 'x' }).view).toBe('abc')
  expect(write('q=a&view=abc')).toBe('q=a&view=abc')
})

test('an address says nothing of a list where only others are meant', () => {
  expect(saysNothing(new URLSearchParams('tab=a&items.page=2'), '', defaults)).toBe(true)
  expect(saysNothing(new URLSearchParams('status=new'), '', defaults)).toBe(false)
  expect(saysNothing(new URLSearchParams('view=none'), '', defaults)).toBe(false)
})

test('the trash is a place and not a filter', () => {
  const trash = { ...parse(''), filters: { trashed: 'true' } }
  expect(isNarrowed(trash)).toBe(false)
  expect(withoutFilters({ ...trash, q: 'a', filters: { trashed: 'true', status: 'new' } })).toEqual({
    q: '',
    filters: { trashed: 'true' },
  })
})
