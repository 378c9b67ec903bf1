import type { LiveStep } from '@weft/contract/test-runs/schema'

/** Where a step is in the test run that is shown. */
export type MarkState = 'waiting' | LiveStep['state']

/** What is shown of a step on its row and its card. */
export interface StepMark {
  state: MarkState | null
  pinned: boolean
  durationMs: number | null
  error: string | null
}

type Passed = Pick<LiveStep, 'path' | 'stepId' | 'state' | 'durationMs'> & {
  error: { class: string } | null
}

const NONE: StepMark = { state: null, pinned: false, durationMs: null, error: null }

/**
 * The marks of the steps, each watched on its own: a message about one step draws that step and no other, however many
 * there are.
 */
export class TestMarks {
  readonly #marks = new Map<string, StepMark>()
  readonly #listeners = new Map<string, Set<() => void>>()

  get(stepId: string): StepMark {
    return this.#marks.get(stepId) ?? NONE
  }

  subscribe(stepId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(stepId) ?? new Set()
    this.#listeners.set(stepId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(stepId) === listeners) this.#listeners.delete(stepId)
    }
  }

  /** A run begins, or another is looked at: what was seen before is gone, and these steps wait. */
  begin(waiting: Iterable<string>): void {
    const wait = new Set(waiting)
    for (const stepId of new Set([...this.#marks.keys(), ...wait]))
      this.#put(stepId, {
        ...NONE,
        pinned: this.get(stepId).pinned,
        state: wait.has(stepId) ? 'waiting' : null,
      })
  }

  /** Passes through steps, in their order; of a step that comes again the last counts. */
  tell(steps: readonly Passed[]): void {
    for (const { path, stepId, state, durationMs, error } of steps) {
      // Steps of a workflow that is called are not of this document.
      if (path.includes('>')) continue
      this.#put(stepId, {
        state,
        durationMs,
        error: error?.class ?? null,
        pinned: this.get(stepId).pinned,
      })
    }
  }

  /** The run is over: nothing waits any more. */
  settle(): void {
    for (const [stepId, mark] of this.#marks)
      if (mark.state === 'waiting' || mark.state === 'running') this.#put(stepId, { ...mark, state: null })
  }

  /** Which steps are not performed, since their pinned output stands in for them. */
  pin(stepIds: ReadonlySet<string>): void {
    for (const stepId of new Set([...this.#marks.keys(), ...stepIds]))
      this.#put(stepId, { ...this.get(stepId), pinned: stepIds.has(stepId) })
  }

  #put(stepId: string, mark: StepMark): void {
    const before = this.get(stepId)
    const same =
      before.state === mark.state &&
      before.pinned === mark.pinned &&
      before.durationMs === mark.durationMs &&
      before.error === mark.error
    if (same) return
    this.#marks.set(stepId, mark)
    for (const listener of this.#listeners.get(stepId) ?? []) listener()
  }
}
