import { ALL_ROWS, PAGE_SIZES } from '@weft/contract/core/list'

/** What a list shows: held in the address, so that a link or a reload brings it back. */
export interface ListState {
  q: string
  page: number
  perPage: number
  sortBy: string | null
  sortDesc: boolean
  /** The list's own filters; several values are parted by commas. */
  filters: Readonly<Record<string, string>>
  /** The saved view that it began with; `none` for none, also where one is the default. */
  view: string | null
}

/** What holds where the address says nothing. */
export interface ListDefaults {
  perPage: number
  sort: { by: string; desc: boolean } | null
  filterNames: readonly string[]
  sortable: readonly string[]
}

export const DEFAULT_PER_PAGE = 25

const OWN_NAMES = ['q', 'page', 'perPage', 'sortBy', 'sortDesc', 'view'] as const

/** The name of a parameter in the address; a page with two lists gives each a prefix. */
function paramName(prefix: string, name: string): string {
  return prefix ? `${prefix}.${name}` : name
}

/** Reads a list's state out of the address. What does not fit counts as absent: a page below 1 is 1. */
export function parseListState(search: URLSearchParams, prefix: string, defaults: ListDefaults): ListState {
  const get = (name: string) => search.get(paramName(prefix, name))
  const page = Number(get('page') ?? 1)
  const perPage = Number(get('perPage') ?? defaults.perPage)
  const isSize = perPage === ALL_ROWS || PAGE_SIZES.some((size) => size === perPage)
  const wantedSort = get('sortBy')
  const sortBy =
    wantedSort && defaults.sortable.includes(wantedSort) ? wantedSort : (defaults.sort?.by ?? null)
  const desc = get('sortDesc')
  const filters: Record<string, string> = {}
  for (const name of defaults.filterNames) {
    const value = get(name)
    if (value) filters[name] = value
  }
  return {
    q: get('q') ?? '',
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
    perPage: isSize ? perPage : defaults.perPage,
    sortBy,
    sortDesc:
      desc === null
        ? sortBy === defaults.sort?.by
          ? (defaults.sort?.desc ?? false)
          : false
        : desc === 'true',
    filters,
    view: get('view'),
  }
}

/** Writes a list's state into the address, only where it differs from the defaults; other parameters stay. */
export function writeListState(
  search: URLSearchParams,
  prefix: string,
  state: ListState,
  defaults: ListDefaults,
): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const name of [...OWN_NAMES, ...defaults.filterNames]) next.delete(paramName(prefix, name))
  const put = (name: string, value: string) => next.set(paramName(prefix, name), value)
  if (state.q) put('q', state.q)
  if (state.page > 1) put('page', String(state.page))
  if (state.perPage !== defaults.perPage) put('perPage', String(state.perPage))
  const usualSort =
    state.sortBy === (defaults.sort?.by ?? null) && state.sortDesc === (defaults.sort?.desc ?? false)
  if (state.sortBy && !usualSort) {
    put('sortBy', state.sortBy)
    put('sortDesc', String(state.sortDesc))
  }
  for (const [name, value] of Object.entries(state.filters)) if (value) put(name, value)
  if (state.view) put('view', state.view)
  return next
}

/** A change of anything but the page goes back to the first page. */
export function changeListState(state: ListState, change: Partial<ListState>): ListState {
  const stays = Object.keys(change).every((name) => name === 'page' || name === 'view')
  return { ...state, ...(stays ? {} : { page: 1 }), ...change }
}

/** The next sort after a click on a column: ascending, descending, then as usual. */
export function nextSort(state: ListState, column: string): Pick<ListState, 'sortBy' | 'sortDesc'> {
  if (state.sortBy !== column) return { sortBy: column, sortDesc: false }
  if (!state.sortDesc) return { sortBy: column, sortDesc: true }
  return { sortBy: null, sortDesc: false }
}

/** The query of the list call. For All, `window` says which rows are fetched. */
export function listInput(
  state: ListState,
  fixed: Readonly<Record<string, unknown>>,
  window?: { page: number; size: number },
): Record<string, unknown> {
  const { page, perPage } = window ? { page: window.page, perPage: window.size } : state
  return {
    ...state.filters,
    ...fixed,
    ...(state.q ? { q: state.q } : {}),
    page,
    perPage,
    ...(state.sortBy ? { sortBy: state.sortBy, sortDesc: state.sortDesc } : {}),
  }
}

/** The filter that shows the trash instead; it narrows nothing. */
export const TRASH_FILTER = 'trashed'

/** Whether a search or a filter narrows the list. */
export function isNarrowed(state: ListState): boolean {
  return state.q !== '' || Object.keys(state.filters).some((name) => name !== TRASH_FILTER)
}

/** Whether the list shows what is in the trash. */
export function isTrash(state: ListState): boolean {
  return state.filters[TRASH_FILTER] === 'true'
}

/** The change that takes away the search and all filters, and stays in the trash where it is shown. */
export function withoutFilters(state: ListState): Pick<ListState, 'q' | 'filters'> {
  const trashed = state.filters[TRASH_FILTER]
  return { q: '', filters: trashed === undefined ? {} : { [TRASH_FILTER]: trashed } }
}

/** Whether an address says anything of a list. */
export function saysNothing(search: URLSearchParams, prefix: string, defaults: ListDefaults): boolean {
  return [...OWN_NAMES, ...defaults.filterNames].every((name) => !search.has(paramName(prefix, name)))
}
