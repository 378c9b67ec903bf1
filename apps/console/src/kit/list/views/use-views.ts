import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ViewState, ViewsOfList } from '@weft/contract/views/schema'
import { rememberDefault, rememberedDefault } from '../remembered.ts'

/** Views are looked for when the list stands: they are not what one came for. */
const LATER_MS = 2500

/** What a list knows of its views. */
export interface ListViews {
  /** Undefined until they were looked for. */
  all: ViewsOfList | undefined
  /** The view that the list shows, changed or not. */
  active: { id: string; state: ViewState } | undefined
  /** Looks for them now. */
  look: () => void
}

/** The views of a list; `id` is the one that the address names. */
export function useViews(list: string, id: string | null, ready: boolean): ListViews {
  const [asked, setAsked] = useState(false)
  const known = rememberedDefault(list)
  const isNamed = id !== null && id !== 'none'
  const { data: all } = useQuery({
    // The key that a read of the call has; the call itself comes with the part that is loaded for it.
    queryKey: ['views.list', { list }],
    queryFn: async ({ signal }) => (await import('./read.ts')).readViews(list, signal),
    enabled: asked || isNamed || (ready && known === undefined),
  })
  useEffect(() => {
    if (!ready) return undefined
    const timer = setTimeout(() => setAsked(true), LATER_MS)
    return () => clearTimeout(timer)
  }, [ready])
  useEffect(() => {
    if (!all) return
    const usual = all.views.find((view) => view.id === all.defaultId)
    rememberDefault(list, usual ? { id: usual.id, state: usual.state } : null)
  }, [all, list])
  const active = isNamed
    ? (all?.views.find((view) => view.id === id) ?? (known?.id === id && !all ? known : undefined))
    : undefined
  return { all, active, look: () => setAsked(true) }
}
