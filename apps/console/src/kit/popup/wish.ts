/** What is wanted of a popup: while it is being loaded, somebody may come to want something else. */
export interface Wish {
  /** What is wanted now. */
  is: () => 'no' | 'hover' | 'click'
  /** Wants something; gives a way to ask later whether that is still what is wanted last. */
  set: (to: 'no' | 'hover' | 'click') => () => boolean
}

/** Nothing is wanted yet. */
export function noWish(): Wish {
  let now: 'no' | 'hover' | 'click' = 'no'
  let times = 0
  return {
    is: () => now,
    set: (to) => {
      now = to
      times += 1
      const mine = times
      return () => times === mine
    },
  }
}
