import { store } from '../../lib/emitter.ts'

/** Whose browser is to be opened. */
export interface Opening {
  accountId?: string
  profileId?: string
  name: string
}

/** What the dialog asks about; null while it is closed. */
export const opening = store<Opening | null>(null)
