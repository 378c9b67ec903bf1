/**
 * Something about each step, each watched on its own: what changes at one step draws that step and no other, however many
 * there are.
 */
export class BySteps<T> {
  readonly #nothing: T
  readonly #same: (one: T, other: T) => boolean
  #values: ReadonlyMap<string, T> = new Map()
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(nothing: T, same: (one: T, other: T) => boolean) {
    this.#nothing = nothing
    this.#same = same
  }

  get(stepId: string): T {
    return this.#values.get(stepId) ?? this.#nothing
  }

  subscribe(stepId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(stepId) ?? new Set()
    this.#listeners.set(stepId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(stepId) === listeners) this.#listeners.delete(stepId)
    }
  }

  /** Puts what is so now in place of what was. What says the same stays the very same. */
  replace(next: ReadonlyMap<string, T>): void {
    const before = this.#values
    const kept = new Map<string, T>()
    const changed: string[] = []
    for (const [stepId, value] of next) {
      const old = before.get(stepId)
      const stays = old !== undefined && this.#same(old, value)
      kept.set(stepId, stays ? old : value)
      if (!stays) changed.push(stepId)
    }
    for (const stepId of before.keys()) if (!next.has(stepId)) changed.push(stepId)
    this.#values = kept
    for (const stepId of changed) for (const listener of this.#listeners.get(stepId) ?? []) listener()
  }
}
