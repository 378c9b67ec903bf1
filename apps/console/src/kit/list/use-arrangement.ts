import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { preferences } from '@weft/contract/preferences/api'
import type { Arrangement, ViewState } from '@weft/contract/views/schema'
import { call } from '../../lib/api.ts'
import { read, readKey } from '../../lib/query.ts'
import { signedIn } from '../../lib/session/session.ts'
import { toast } from '../toast/toast.ts'
import { AS_IT_COMES, isAsItComes } from './arrangement.ts'
import { rememberArrangements, rememberedArrangements } from './remembered.ts'

const KEEP_MS = 400
const STALE_MS = 60_000

const later = new Map<string, ReturnType<typeof setTimeout>>()

/** Keeps an arrangement for the person, a moment after the last change of it. */
function keepSoon(list: string, columns: Arrangement): void {
  // Who looks on as somebody else changes nothing of theirs.
  if (signedIn.get()?.viewing) return
  clearTimeout(later.get(list))
  later.set(
    list,
    setTimeout(() => {
      later.delete(list)
      call(preferences.arrange, { list, columns: isAsItComes(columns) ? null : columns }).catch(toast.failure)
    }, KEEP_MS),
  )
}

/**
 * How the columns of a list stand: as its view has them, else as the person arranged them on any of their devices. What
 * is changed while a view is shown is the view's, and is kept when the view is saved.
 */
export function useArrangement(list: string, view: { id: string; state: ViewState } | undefined) {
  const client = useQueryClient()
  const { data } = useQuery({
    ...read(preferences.arrangements, {}),
    initialData: rememberedArrangements,
    initialDataUpdatedAt: 0,
    staleTime: STALE_MS,
  })
  useEffect(() => rememberArrangements(data), [data])
  const [tried, setTried] = useState<{ view: string; columns: Arrangement } | null>(null)
  const ofView = view?.state.columns
  const arrangement =
    view && ofView ? (tried?.view === view.id ? tried.columns : ofView) : (data[list] ?? AS_IT_COMES)
  const viewId = view && ofView ? view.id : undefined
  const setArrangement = useCallback(
    (columns: Arrangement) => {
      if (viewId !== undefined) {
        setTried({ view: viewId, columns })
        return
      }
      client.setQueryData(
        readKey(preferences.arrangements, {}),
        (known: Record<string, Arrangement> = {}) => ({
          ...known,
          [list]: columns,
        }),
      )
      keepSoon(list, columns)
    },
    [client, list, viewId],
  )
  return { arrangement, setArrangement }
}
