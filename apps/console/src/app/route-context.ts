import { createContext, useContext } from 'react'
import type { PageRoute } from '../lib/navigation/route-table.ts'

export const RouteContext = createContext<PageRoute | null>(null)

/** The route that is shown. */
export function useCurrentRoute(): PageRoute | null {
  return useContext(RouteContext)
}
