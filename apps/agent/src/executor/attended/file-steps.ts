import type { Recorded } from '@weft/contract/attended-runs/watched'
import type { Recordings } from './recording.ts'

/** What somebody pressed last: a field for files, or something that was written down as a step. */
interface Pressed {
  id: number | null
  targets: Recorded['state'][]
  label: string
}

/**
 * A file that is chosen while recording is a step that gives one to what was pressed for it. Which file it was is written
 * nowhere: each run is given its own.
 */
export class FileSteps {
  readonly #recordings: Recordings
  #pressed: Pressed | undefined
  /** What the page asked for files upon. */
  #asking: Pressed | undefined

  constructor(recordings: Recordings) {
    this.#recordings = recordings
  }

  pressed(what: Pressed | undefined): void {
    this.#pressed = what
  }

  /** The page asks for files: the step that this came from, if one was written. */
  asked(): number | null {
    this.#asking = this.#pressed
    return this.#asking?.id ?? null
  }

  /** The page was given so many. The press that made it ask is part of the step; what nothing was pressed for is none. */
  given(count: number): void {
    const asking = this.#asking
    if (!asking) return
    const { id, targets, label } = asking
    const content: Pick<Recorded, 'type' | 'unrecorded' | 'state'> =
      count === 1
        ? { type: 'upload-file', unrecorded: null, state: { targets, file: '' } }
        : { type: null, unrecorded: 'upload', state: {} }
    if (id === null) asking.id = this.#recordings.add({ ...content, label, secret: null })
    else this.#recordings.become(id, content)
  }
}
