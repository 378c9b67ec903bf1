import type { Store } from '../store/store.ts'

/** What every page has to work with. */
export interface Site {
  store: Store
  /** Fires when the site stops, so that nothing keeps waiting. */
  closing: AbortSignal
}
