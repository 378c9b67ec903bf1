import type { Arrangement, ViewState } from '@weft/contract/views/schema'
import { AS_IT_COMES } from '../arrangement.ts'
import type { ListState } from '../url-state.ts'

/** The value of `view` in the address that says: none, also where there is a default. */
export const NO_VIEW = 'none'

/** What a view keeps of a list as it stands. */
export function viewStateOf(state: ListState, columns: Arrangement): ViewState {
  const { q, filters, sortBy, sortDesc, perPage } = state
  return { q, filters: { ...filters }, sortBy, sortDesc, perPage, columns }
}

/** The state of a list that shows a view; filters that the list has no more are left out. */
export function stateOfView(
  id: string,
  view: ViewState,
  known: { filterNames: readonly string[]; sortable: readonly string[] },
): ListState {
  const { q, sortDesc, perPage } = view
  const sortBy = view.sortBy !== null && known.sortable.includes(view.sortBy) ? view.sortBy : null
  const filters = Object.fromEntries(
    Object.entries(view.filters).filter(([name, value]) => value !== '' && known.filterNames.includes(name)),
  )
  return { q, page: 1, perPage, sortBy, sortDesc: sortBy === null ? false : sortDesc, filters, view: id }
}

/** Whether a list shows something else than its view keeps. */
export function isChanged(now: ViewState, view: ViewState): boolean {
  return text(now) !== text(view)
}

/** Two states that show the same are the same text, whatever the order of their names. */
function text(state: ViewState): string {
  const sorted = (record: object) => Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const { order, shown, widths, pinned } = state.columns ?? AS_IT_COMES
  return JSON.stringify([
    state.q,
    sorted(state.filters),
    state.sortBy,
    state.sortBy === null ? false : state.sortDesc,
    state.perPage,
    [order, sorted(shown), sorted(widths), pinned],
  ])
}
