import type { JsonObject } from '../json.ts'

/** Thrown by `finish` to leave everything around it; it is no failure. */
export class Finished extends Error {
  readonly outputs: JsonObject
  readonly note: string | null

  constructor(outputs: JsonObject, note: string | null) {
    super('finished')
    this.outputs = outputs
    this.note = note
  }
}
