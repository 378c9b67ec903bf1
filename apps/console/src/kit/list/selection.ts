import type { Selection } from '@weft/contract/core/record'

/** Which rows are chosen: some by id, or all that match the present query. */
export type Chosen = { kind: 'some'; ids: ReadonlySet<string> } | { kind: 'all' }

export const NOTHING: Chosen = { kind: 'some', ids: new Set() }

/** How many rows are chosen. */
export function chosenCount(chosen: Chosen, total: number): number {
  return chosen.kind === 'all' ? total : chosen.ids.size
}

/** Whether a row is chosen. */
export function isChosen(chosen: Chosen, id: string): boolean {
  return chosen.kind === 'all' || chosen.ids.has(id)
}

/** Chooses or lets go one row. Letting go one of "all that match" leaves the rows of the page without it. */
export function toggleRow(chosen: Chosen, id: string, pageIds: readonly string[]): Chosen {
  const ids = new Set(chosen.kind === 'all' ? pageIds : chosen.ids)
  if (ids.has(id)) ids.delete(id)
  else ids.add(id)
  return { kind: 'some', ids }
}

/** Chooses every row from one to another, as with the shift key. */
export function chooseRange(chosen: Chosen, from: string, to: string, pageIds: readonly string[]): Chosen {
  const a = pageIds.indexOf(from)
  const b = pageIds.indexOf(to)
  if (a < 0 || b < 0) return toggleRow(chosen, to, pageIds)
  const ids = new Set(chosen.kind === 'all' ? pageIds : chosen.ids)
  for (const id of pageIds.slice(Math.min(a, b), Math.max(a, b) + 1)) ids.add(id)
  return { kind: 'some', ids }
}

/** Chooses the whole page, or lets it go where it is chosen already. */
export function togglePage(chosen: Chosen, pageIds: readonly string[]): Chosen {
  if (chosen.kind === 'all') return NOTHING
  const all = pageIds.length > 0 && pageIds.every((id) => chosen.ids.has(id))
  const ids = new Set(chosen.ids)
  for (const id of pageIds) {
    if (all) ids.delete(id)
    else ids.add(id)
  }
  return { kind: 'some', ids }
}

/** The choice as a call takes it: ids, or the query without its paging. */
export function asSelection(chosen: Chosen, query: Readonly<Record<string, unknown>>): Selection {
  if (chosen.kind === 'some') return { ids: [...chosen.ids] }
  const { page: _page, perPage: _perPage, sortBy: _sortBy, sortDesc: _sortDesc, ...rest } = query
  return { query: rest }
}
