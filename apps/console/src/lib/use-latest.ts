import { useCallback, useLayoutEffect, useRef } from 'react'

/** The value of the last render, for handlers and effects that must not run again for it. */
export function useLatest<T>(value: T): { readonly current: T } {
  const ref = useRef(value)
  useLayoutEffect(() => {
    ref.current = value
  })
  return ref
}

/** A function that stays the same object and does what the one of the last render does: for what is told of every new one. */
export function useSteady<A extends readonly unknown[], R>(handler: (...args: A) => R): (...args: A) => R {
  const latest = useLatest(handler)
  return useCallback((...args: A) => latest.current(...args), [latest])
}
