import { GAVE_UP } from '../../kit/actions/action.ts'
import { store } from '../../lib/emitter.ts'
import type { Share } from './shares.ts'

/** What is to go for good, asked about by a dialog; `end` tells whether it went. */
export interface Purging {
  shares: readonly Share[]
  end: (gone: boolean) => void
}

/** What the dialog asks about; null while it is closed. */
export const purging = store<Purging | null>(null)

/** Asks, and does it: gives `GAVE_UP` where it was left. */
export async function askPurge(shares: readonly Share[]): Promise<typeof GAVE_UP | null> {
  const gone = await new Promise<boolean>((resolve) => {
    purging.set({ shares, end: resolve })
  })
  purging.set(null)
  return gone ? null : GAVE_UP
}
