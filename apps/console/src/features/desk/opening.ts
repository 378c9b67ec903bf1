import { store } from '../../lib/emitter.ts'
import { isFailure } from '../../lib/failure.ts'

/** Whose browser is to be opened. */
export interface Opening {
  accountId?: string
  profileId?: string
  name: string
}

/** What the dialog asks about; null while it is closed. */
export const opening = store<Opening | null>(null)

/** Whether a browser could not be opened for want of an address, which the dialog asks for. */
export function lacksAddress(failure: unknown): boolean {
  return isFailure(failure) && failure.body.code === 'attended.no_address'
}
