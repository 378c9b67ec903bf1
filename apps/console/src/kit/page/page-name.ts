import { useEffect } from 'react'
import { store } from '../../lib/emitter.ts'

/** The title that the page shows; the breadcrumbs and the window's title use it where the route has none of its own. */
export const pageName = store<string | null>(null)

const names: Record<'page' | 'drawer', string | null> = { page: null, drawer: null }

function setName(of: keyof typeof names, name: string | null): void {
  names[of] = name
  pageName.set(names.drawer ?? names.page)
}

/** Names what is shown for as long as it is; a drawer over a page goes before the page. */
export function usePageName(name: string, of: keyof typeof names = 'page'): void {
  useEffect(() => {
    setName(of, name)
    return () => setName(of, null)
  }, [name, of])
}
