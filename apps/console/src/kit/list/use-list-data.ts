import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { ALL_ROWS, type ListResult } from '@weft/contract/core/list'
import { useCallback, useMemo, useState } from 'react'
import { callAny } from '../../lib/api.ts'
import type { ListEndpoint } from '../fields/record-picker.tsx'
import { listInput, type ListState } from './url-state.ts'

/** Rows that All fetches at a time. */
export const WINDOW = 100

/** What a list has loaded: a page, or, for All, the windows that were looked at. */
export interface ListData {
  /** Rows by position; undefined where a window has not come yet. */
  rows: readonly unknown[]
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
  const stateKey = JSON.stringify([state, fixed])
  const pages = useMemo(
    () => (isAll ? (seen.key === stateKey ? seen.pages : [1]) : []),
    [isAll, seen, stateKey],
  )
  const input = listInput(state, fixed, isAll ? { page: 1, size: WINDOW } : undefined)
  const first = useQuery({
    queryKey: [endpoint.name, input],
    queryFn: ({ signal }) => fetchList(endpoint, input, signal),
    placeholderData: keepPreviousData,
    meta: { live },
  })
  const others = useQueries({
    queries: pages
      .filter((page) => page > 1)
      .map((page) => {
        const windowInput = listInput(state, fixed, { page, size: WINDOW })
        return {
          queryKey: [endpoint.name, windowInput],
          queryFn: ({ signal }: { signal: AbortSignal }) => fetchList(endpoint, windowInput, signal),
          meta: { live },
        }
      }),
  })
  const total = first.data?.totalRecord
  const otherData = others.map(({ data }) => data)
  const rows = useMemo(() => {
    if (!isAll) return first.data?.data ?? []
    const all: unknown[] = Array.from({ length: total ?? 0 })
    for (const [at, row] of (first.data?.data ?? []).entries()) all[at] = row
    const further = pages.filter((page) => page > 1)
    for (const [index, answer] of otherData.entries()) {
      const start = ((further[index] ?? 1) - 1) * WINDOW
      for (const [at, row] of (answer?.data ?? []).entries())
        if (start + at < all.length) all[start + at] = row
    }
    return all
    // The windows' answers are compared one by one: the list of them is new at every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isAll, first.data, total, pages, ...otherData])

  const look = useCallback(
    (from: number, to: number) => {
      if (!isAll) return
      const start = Math.floor(Math.max(0, from) / WINDOW) + 1
      const end = Math.floor(Math.max(0, to) / WINDOW) + 1
      setSeen((before) => {
        const known = before.key === stateKey ? before.pages : [1]
        const wanted = Array.from({ length: end - start + 1 }, (_, at) => start + at)
        if (before.key === stateKey && wanted.every((page) => known.includes(page))) return before
        // Far windows are let go of: a list of a hundred thousand rows is never wholly in memory.
        const near = known.filter((page) => page === 1 || (page >= start - 10 && page <= end + 10))
        return { key: stateKey, pages: [...new Set([...near, ...wanted])].sort((a, b) => a - b) }
      })
    },
    [isAll, stateKey],
  )

  return {
    rows,
    total,
    totalPage: isAll ? 1 : (first.data?.totalPage ?? 1),
    estimated: first.data?.totalEstimated === true,
    isPending: first.isPending,
    isFetching: first.isFetching,
    isStale: first.isPlaceholderData,
    error: first.error,
    input,
    refetch: () => void client.invalidateQueries({ queryKey: [endpoint.name] }),
    hardRefetch: async () => {
      const fresh = await fetchList(endpoint, { ...input, isHardFetch: true })
      client.setQueryData([endpoint.name, input], fresh)
    },
    look,
  }
}

async function fetchList(
  endpoint: ListEndpoint,
  input: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<ListResult<unknown>> {
  return (await callAny(endpoint, input, signal ? { signal } : {})) as ListResult<unknown>
}
