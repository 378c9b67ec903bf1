import { useLayoutEffect, useRef } from 'react'

/** The value of the last render, for handlers and effects that must not run again for it. */
export function useLatest<T>(value: T): { readonly current: T } {
  const ref = useRef(value)
  useLayoutEffect(() => {
    ref.current = value
  })
  return ref
}
