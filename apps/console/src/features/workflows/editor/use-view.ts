import { useSearchParams } from 'react-router'

/** How the steps are shown. */
export type StepsView = 'outline' | 'canvas'

/** The view of the steps; it stands in the address, so that going back and sharing keep it. */
export function useView(): [StepsView, (view: StepsView) => void] {
  const [search, setSearch] = useSearchParams()
  const view = search.get('view') === 'canvas' ? 'canvas' : 'outline'
  const show = (next: StepsView) =>
    setSearch(
      (now) => {
        const changed = new URLSearchParams(now)
        if (next === 'outline') changed.delete('view')
        else changed.set('view', next)
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  return [view, show]
}
