import type { JsonObject } from '../json.ts'

/** Thrown by `finish` to leave everything around it; it is no failure. */
export class Finished extends Error {
  readonly outputs: JsonObject
  readonly note: string | null
  /** The part that was to be tried out is done: nothing else is, tidying up neither. */
  readonly early: boolean

  constructor(outputs: JsonObject, note: string | null, { early = false } = {}) {
    super('finished')
    this.outputs = outputs
    this.note = note
    this.early = early
  }
}
