import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { preferences } from '@weft/contract/preferences/api'
import type { Arrangement, ViewState } from '@weft/contract/views/schema'
import { call } from '../../lib/api.ts'
import { store } from '../../lib/emitter.ts'
import { read, readKey } from '../../lib/query.ts'
import { signedIn } from '../../lib/session/session.ts'
import { toast } from '../toast/toast.ts'
import { AS_IT_COMES, isAsItComes } from './arrangement.ts'
import { rememberArrangements, rememberedArrangements } from './remembered.ts'

const KEEP_MS = 400
const STALE_MS = 60_000

/** What was arranged here and is not yet kept: it holds over what the server says meanwhile. */
const unkept = store<Readonly<Record<string, Arrangement>>>({})
const later = new Map<string, ReturnType<typeof setTimeout>>()

/** Keeps an arrangement for the person, a moment after the last change of it. */
function keepSoon(list: string, columns: Arrangement, client: QueryClient): void {
  unkept.set({ ...unkept.get(), [list]: columns })
  // Who looks on as somebody else changes nothing of theirs.
  if (signedIn.get()?.viewing) return
  clearTimeout(later.get(list))
  later.set(
    list,
    setTimeout(() => void keep(list, columns, client), KEEP_MS),
  )
}

async function keep(list: string, columns: Arrangement, client: QueryClient): Promise<void> {
  later.delete(list)
  const key = readKey(preferences.arrangements, {})
  try {
    const kept = await call(preferences.arrange, { list, columns: isAsItComes(columns) ? null : columns })
    await client.cancelQueries({ queryKey: key })
    client.setQueryData(key, kept)
  } catch (error) {
    toast.failure(error)
  } finally {
    const { [list]: now, ...others } = unkept.get()
    if (now === columns) unkept.set(others)
  }
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
  const here = useSyncExternalStore(unkept.subscribe, unkept.get)
  const [tried, setTried] = useState<{ view: string; columns: Arrangement } | null>(null)
  const ofView = view?.state.columns
  const arrangement =
    view && ofView
      ? tried?.view === view.id
        ? tried.columns
        : ofView
      : (here[list] ?? data[list] ?? AS_IT_COMES)
  const viewId = view && ofView ? view.id : undefined
  const setArrangement = useCallback(
    (columns: Arrangement) => {
      if (viewId !== undefined) {
        setTried({ view: viewId, columns })
        return
      }
      keepSoon(list, columns, client)
    },
    [client, list, viewId],
  )
  return { arrangement, setArrangement }
}
