import { emitter, store } from '../emitter.ts'

/** What the hub tells of who else has a workflow open: who listens reads its shape. */
export const presenceTold = emitter<unknown>()
/** Says something to the hub, while the live connection is open. */
export const hubSay = store<((method: string, ...args: unknown[]) => void) | null>(null)
