import { useSyncExternalStore } from 'react'

/** Below this width the navigation is an overlay: 960 and the scroll bar's 16. */
export const OVERLAY_BELOW = 976

const query = () => matchMedia(`(max-width: ${OVERLAY_BELOW - 0.02}px)`)

function subscribe(listener: () => void): () => void {
  const media = query()
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether the window is too narrow for navigation beside or above the page. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query().matches)
}
