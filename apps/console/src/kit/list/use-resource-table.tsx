import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useHref, useNavigate, useSearchParams } from 'react-router'
import { ALL_ROWS } from '@weft/contract/core/list'
import { featureOf } from '../../lib/query.ts'
import { useDelay } from '../../lib/use-delay.ts'
import type { ListEndpoint, RowOf } from '../fields/record-picker.tsx'
import { runningBulk } from './bulk/running.ts'
import type { EditedCell, Holder, ListHandle, ListPanel } from './handle.ts'
import { ListView } from './list-view.tsx'
import { filtersOf, rowId, sortableOf, type ListOptions } from './options.ts'
import { rememberedDefault } from './remembered.ts'
import { NOTHING, type Chosen } from './selection.ts'
import {
  DEFAULT_PER_PAGE,
  changeListState,
  isTrash,
  parseListState,
  saysNothing,
  writeListState,
  type ListDefaults,
  type ListState,
} from './url-state.ts'
import { useArrangement } from './use-arrangement.ts'
import { useListData } from './use-list-data.ts'
import { useSettled } from './use-settled.ts'
import { useViews } from './views/use-views.ts'
import { stateOfView } from './views/view-state.ts'

/** A list over one call: its state is in the address; `table` shows it. */
export function useResourceTable<E extends ListEndpoint>(
  endpoint: E,
  options: ListOptions<RowOf<E>>,
): ListHandle<RowOf<E>> {
  type T = RowOf<E>
  const feature = featureOf(endpoint.name)
  const prefix = options.key ?? ''
  const name = prefix ? `${endpoint.name}#${prefix}` : endpoint.name
  const { state, setState, defaults, fixed, fixedKey, search } = useListState(endpoint, options, name)

  const data = useListData(endpoint, state, fixed, options.live)
  const isAll = state.perPage === ALL_ROWS
  const place = `${fixedKey}${JSON.stringify({ ...state, view: null })}`
  const [holders, setHolders] = useState(NOBODY)
  const [edited, setEdited] = useState<EditedCell<T> | null>(null)
  const held = holders.size > 0 || edited !== null
  const source = isAll ? NO_ROWS : (data.rows as readonly (T | undefined)[])
  const settled = useSettled<T | undefined>(source, {
    place,
    stale: data.isStale,
    held,
    fetching: data.isFetching,
  })

  // A choice belongs to one search: another one begins with nothing chosen.
  const narrowing = JSON.stringify([state.q, state.filters, fixedKey])
  const [choosing, setChoosing] = useState({ narrowing, chosen: NOTHING })
  const chosen = choosing.narrowing === narrowing ? choosing.chosen : NOTHING

  const views = useViews(name, state.view, data.total !== undefined)
  useUsualView(views.all, { state, search, prefix, defaults, setState })
  const { arrangement, setArrangement } = useArrangement(name, views.active)
  const [panel, setPanel] = useState<ListPanel<T>>(() => {
    const running = options.resource?.bulk ? runningBulk(feature) : null
    return running ? { kind: 'bulk', id: running } : null
  })

  const opening = useDelay()
  const navigate = useNavigate()
  const here = useHref('.')
  const trash = isTrash(state)
  const hrefOf = (row: T) => {
    if (trash) return undefined
    return options.openTo ? (options.openTo(row) ?? undefined) : rowId(row)
  }
  const query = search.toString()
  const nameColumn = options.columns.find(({ isName }) => isName)
  const handle: ListHandle<T> = {
    endpoint,
    feature,
    name,
    options,
    state,
    setState,
    sortable: defaults.sortable,
    filterNames: defaults.filterNames,
    data,
    rows: isAll ? (data.rows as readonly T[]) : settled.rows,
    rowAt: (at) => (isAll ? (data.rowAt(at) as T | undefined) : settled.rows[at]),
    rowCount: isAll ? (data.total ?? 0) : settled.rows.length,
    waiting: settled.waiting,
    gone: settled.gone,
    showWaiting: () => setHolders(NOBODY),
    hold: (by, holds) => setHolders((now) => withHolder(now, by, holds)),
    chosen,
    setChosen: (next: Chosen) => setChoosing({ narrowing, chosen: next }),
    arrangement,
    setArrangement,
    views,
    panel,
    show: setPanel,
    edited,
    edit: setEdited,
    trash,
    open: (row) => {
      const to = hrefOf(row)
      // A drawer opens over the list as it stands, so the list's part of the address goes along.
      if (to !== undefined) void navigate(to.startsWith('/') ? to : { pathname: to, search: query })
    },
    opening,
    hrefOf,
    addressOf: (row) => {
      const to = hrefOf(row)
      if (to === undefined || to.startsWith('/')) return to
      return `${here.replace(/\/$/, '')}/${to}${query ? `?${query}` : ''}`
    },
    linkTo: (other) =>
      `${location.origin}${location.pathname}?${writeListState(new URLSearchParams(), prefix, other, defaults).toString()}`,
    nameOf: (row) => options.nameOf?.(row) ?? nameColumn?.text?.(row) ?? rowId(row),
    count: data.total === undefined ? undefined : { total: data.total, estimated: data.estimated },
    refetch: data.refetch,
    table: null,
  }
  return { ...handle, table: <ListView list={handle} /> }
}

const NO_FIXED = {}
const NOBODY: ReadonlySet<Holder> = new Set()

function withHolder(now: ReadonlySet<Holder>, by: Holder, holds: boolean): ReadonlySet<Holder> {
  if (now.has(by) === holds) return now
  return new Set(holds ? [...now, by] : [...now].filter((one) => one !== by))
}

const NO_ROWS: readonly undefined[] = []

/** The state of a list in the address; where the address says nothing, that of the view it opens with. */
function useListState<T>(endpoint: ListEndpoint, options: ListOptions<T>, name: string) {
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
  const state = useMemo(() => {
    const usual = saysNothing(search, prefix, defaults) ? rememberedDefault(name) : undefined
    return usual ? stateOfView(usual.id, usual.state, defaults) : parseListState(search, prefix, defaults)
  }, [search, prefix, defaults, name])
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
  return { state, setState, defaults, fixed, fixedKey, search }
}

/** Writes the view that a list opened with into the address, so that it can be passed on and comes back. */
function useUsualView(
  all: ListHandle['views']['all'],
  list: {
    state: ListState
    search: URLSearchParams
    prefix: string
    defaults: ListDefaults
    setState: (change: Partial<ListState>) => void
  },
): void {
  const { state, search, prefix, defaults, setState } = list
  const usual = all?.views.find(({ id }) => id === all.defaultId)
  useEffect(() => {
    if (!saysNothing(search, prefix, defaults)) return
    if (state.view !== null) setState(state)
    else if (usual) setState(stateOfView(usual.id, usual.state, defaults))
  }, [state, search, prefix, defaults, setState, usual])
}
