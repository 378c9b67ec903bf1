import { store } from '../../../lib/emitter.ts'

/** Recovery codes that were just made, for the one time that they are shown. */
export const freshCodes = store<readonly string[] | null>(null)
