import { emitter } from '../emitter.ts'

/** What the hub tells of the person's test runs, as it comes: who listens reads its shape. */
export const testRunTold = emitter<unknown>()
