import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { featureOf } from '../../lib/query.ts'
import type { ListEndpoint, RowOf } from '../fields/record-picker.tsx'
import { readChoice, writeChoice, type ColumnChoice } from './column-choice.ts'
import { ListView } from './list-view.tsx'
import { filtersOf, rowId, sortableOf, type ListOptions } from './options.ts'
import { NOTHING, type Chosen } from './selection.ts'
import { useSettled } from './use-settled.ts'
import {
  DEFAULT_PER_PAGE,
  changeListState,
  parseListState,
  writeListState,
  type ListDefaults,
  type ListState,
} from './url-state.ts'
import type { ListHandle } from './handle.ts'
import { useListData } from './use-list-data.ts'

/** A list over one call: its state is in the address; `table` shows it. */
export function useResourceTable<E extends ListEndpoint>(
  endpoint: E,
  options: ListOptions<RowOf<E>>,
): ListHandle<RowOf<E>> {
  type T = RowOf<E>
  const feature = featureOf(endpoint.name)
  const fixed = options.fixed ?? NO_FIXED
  const fixedKey = JSON.stringify(fixed)
  const sortable = useMemo(() => sortableOf(endpoint), [endpoint])
  const perPage = options.perPage ?? DEFAULT_PER_PAGE
  const sortBy = options.defaultSort?.by
  const sortDesc = options.defaultSort?.desc ?? false
  const defaults = useMemo<ListDefaults>(
    () => ({
      perPage,
      sort: sortBy === undefined ? null : { by: sortBy, desc: sortDesc },
      filterNames: filtersOf(endpoint, JSON.parse(fixedKey)),
      sortable,
    }),
    [endpoint, fixedKey, perPage, sortBy, sortDesc, sortable],
  )
  const [search, setSearch] = useSearchParams()
  const prefix = options.key ?? ''
  const state = useMemo(() => parseListState(search, prefix, defaults), [search, prefix, defaults])
  const latest = useRef(state)
  useLayoutEffect(() => {
    latest.current = state
  }, [state])
  const setState = useCallback(
    (change: Partial<ListState>) => {
      const next = changeListState(latest.current, change)
      latest.current = next
      setSearch((now) => writeListState(now, prefix, next, defaults), {
        replace: true,
        preventScrollReset: true,
      })
    },
    [setSearch, prefix, defaults],
  )

  const data = useListData(endpoint, state, fixed, options.live)
  const place = `${fixedKey}${JSON.stringify(state)}`
  const [held, setHeld] = useState(false)
  const settled = useSettled<T | undefined>(data.rows as readonly (T | undefined)[], {
    place,
    stale: data.isStale,
    held,
  })

  // A choice belongs to one search: another one begins with nothing chosen.
  const narrowing = JSON.stringify([state.q, state.filters, fixedKey])
  const [choosing, setChoosing] = useState({ narrowing, chosen: NOTHING })
  const chosen = choosing.narrowing === narrowing ? choosing.chosen : NOTHING

  const choiceName = `${endpoint.name}${prefix}`
  const [choice, setChoice] = useState<ColumnChoice>(() => readChoice(choiceName))
  const navigate = useNavigate()
  const { openTo } = options
  const hrefOf = (row: T) => {
    if (openTo === false) return undefined
    return openTo ? openTo(row) : rowId(row)
  }
  const nameColumn = options.columns.find(({ isName }) => isName)
  const handle: ListHandle<T> = {
    endpoint,
    feature,
    options,
    state,
    setState,
    sortable,
    data,
    rows: settled.rows,
    waiting: settled.waiting,
    showWaiting: () => setHeld(false),
    hold: setHeld,
    chosen,
    setChosen: (next: Chosen) => setChoosing({ narrowing, chosen: next }),
    choice,
    setChoice: (next) => {
      setChoice(next)
      writeChoice(choiceName, next)
    },
    open: (row) => {
      const to = hrefOf(row)
      // A drawer opens over the list as it stands, so the list's part of the address goes along.
      if (to !== undefined)
        void navigate(to.startsWith('/') ? to : { pathname: to, search: search.toString() })
    },
    hrefOf,
    nameOf: (row) => options.nameOf?.(row) ?? nameColumn?.text?.(row) ?? rowId(row),
    count: data.total,
    refetch: data.refetch,
    table: null,
  }
  return { ...handle, table: <ListView list={handle} /> }
}

const NO_FIXED = {}
