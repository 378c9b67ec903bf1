import { useMedia } from '../../lib/use-media.ts'

/** Below this width the navigation is an overlay: 960 and the scroll bar's 16. */
export const OVERLAY_BELOW = 976

/** Whether the window is too narrow for navigation beside or above the page. */
export function useNarrow(): boolean {
  return useMedia(`(max-width: ${OVERLAY_BELOW - 0.02}px)`)
}
