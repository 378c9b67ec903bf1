/** A small typed event source. */
export interface Emitter<T> {
  on: (listener: (value: T) => void) => () => void
  emit: (value: T) => void
}

/** Makes an event source; a listener may leave while an event is being told. */
export function emitter<T>(): Emitter<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit(value) {
      for (const listener of Array.from(listeners)) listener(value)
    },
  }
}

/** A value that can be watched, made for `useSyncExternalStore`. */
export interface Store<T> {
  get: () => T
  set: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

/** Makes a watched value; setting an identical one tells nobody. */
export function store<T>(initial: T): Store<T> {
  let current = initial
  const changes = emitter<null>()
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      changes.emit(null)
    },
    subscribe: (listener) => changes.on(listener),
  }
}
