import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { ALL_ROWS } from '@weft/contract/core/list'
import { useCallback, useMemo, useState } from 'react'
import { readList } from '../../lib/query.ts'
import type { ListEndpoint } from '../fields/record-picker.tsx'
import { readAnew } from './read-anew.ts'
import { listInput, type ListState } from './url-state.ts'
import { nearWindows, WINDOW } from './windows.ts'

/** Windows that nobody looks at go soon: a list of a million rows is never wholly in memory. */
const WINDOW_GC_MS = 10_000

/** What a list has loaded: a page, or, for All, the windows that were looked at. */
export interface ListData {
  /** The rows that are here, in their order; for All only those of the loaded windows. */
  rows: readonly unknown[]
  /** For All: the row at a position, undefined where its window has not come yet. */
  rowAt: (at: number) => unknown
  total: number | undefined
  totalPage: number
  estimated: boolean
  isPending: boolean
  isFetching: boolean
  /** The rows belong to another page or search than the one asked for. */
  isStale: boolean
  error: Error | null
  input: Record<string, unknown>
  refetch: () => void
  /** Fetches past every cache. */
  hardRefetch: () => Promise<void>
  /** Tells which positions are in sight. */
  look: (first: number, last: number) => void
}

/** Loads a list; `live` names features beside its own whose changes make it old. */
export function useListData(
  endpoint: ListEndpoint,
  state: ListState,
  fixed: Readonly<Record<string, unknown>>,
  live: readonly string[] = [],
): ListData {
  const client = useQueryClient()
  const isAll = state.perPage === ALL_ROWS
  const [seen, setSeen] = useState<{ key: string; pages: readonly number[] }>({ key: '', pages: [1] })
  const stateKey = JSON.stringify([{ ...state, view: null }, fixed])
  const pages = useMemo(
    () => (isAll ? (seen.key === stateKey ? seen.pages : [1]) : []),
    [isAll, seen, stateKey],
  )
  const input = listInput(state, fixed, isAll ? { page: 1, size: WINDOW } : undefined)
  const first = useQuery({
    ...readList(endpoint, input),
    placeholderData: keepPreviousData,
    meta: { live },
  })
  const further = pages.filter((page) => page > 1)
  const others = useQueries({
    queries: further.map((page) => ({
      ...readList(endpoint, listInput(state, fixed, { page, size: WINDOW })),
      meta: { live },
      gcTime: WINDOW_GC_MS,
    })),
  })
  const total = first.data?.totalRecord
  const otherData = others.map(({ data }) => data)
  const loaded = useMemo(() => {
    const windows = new Map<number, readonly unknown[]>([[1, first.data?.data ?? []]])
    for (const [index, answer] of otherData.entries()) {
      const page = further[index]
      if (answer && page !== undefined) windows.set(page, answer.data)
    }
    return windows
    // The windows' answers are compared one by one: the list of them is new at every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [first.data, pages, ...otherData])
  const rows = useMemo(
    () =>
      isAll
        ? [...loaded].toSorted(([a], [b]) => a - b).flatMap(([, data]) => data)
        : (first.data?.data ?? []),
    [isAll, loaded, first.data],
  )
  const rowAt = useCallback((at: number) => loaded.get(Math.floor(at / WINDOW) + 1)?.[at % WINDOW], [loaded])

  const look = useCallback(
    (from: number, to: number) => {
      if (!isAll) return
      setSeen((before) => {
        const known = before.key === stateKey ? before.pages : [1]
        const wanted = nearWindows(known, from, to)
        const same =
          before.key === stateKey &&
          wanted.length === known.length &&
          wanted.every((page, at) => page === known[at])
        return same ? before : { key: stateKey, pages: wanted }
      })
    },
    [isAll, stateKey],
  )

  return {
    rows,
    rowAt,
    total,
    totalPage: isAll ? 1 : (first.data?.totalPage ?? 1),
    estimated: first.data?.totalEstimated === true,
    isPending: first.isPending,
    isFetching: first.isFetching,
    isStale: first.isPlaceholderData,
    error: first.error,
    input,
    refetch: () => void client.invalidateQueries({ queryKey: [endpoint.name] }),
    hardRefetch: () => readAnew(client, endpoint, input),
    look,
  }
}
