import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { store, type Store } from './emitter.ts'

/** The value of a store; who calls it is drawn again when it changes, and nobody else. */
export function useValueOf<T>(source: Pick<Store<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(source.subscribe, source.get)
}

/**
 * A store that holds the value of the last render. For a context over very much: React looks through all that is below
 * a changed context for who reads it, while a store knows its readers.
 */
export function useStoreOf<T>(value: T): Store<T> {
  const [held] = useState(() => store(value))
  useLayoutEffect(() => held.set(value), [held, value])
  return held
}
