import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Fewer rows than this are not worth it. */
const MANY = 5000
const CLEAR_EVERY_MS = 30_000
/** Young memory of this size is enough; much less of it would have to be cleared all the time. */
const YOUNG_BYTES = 32 * 1024 * 1024
const LOOK_MS = 500

let users = 0
let looking: NodeJS.Timeout | undefined
let cleared = Number.NEGATIVE_INFINITY

/**
 * Has memory cleared sooner until the given function is called. The runtime lets what nobody needs any more grow to several
 * times what is needed before it clears old memory; when very many rows pass through, all that is soon taken.
 */
export function lean(): () => void {
  users += 1
  if (users === 1) {
    setFlagsFromString('--heap-growing-percent=40')
    clear()
    holdYoung()
    looking = setInterval(holdYoung, LOOK_MS).unref()
  }
  let over = false
  return () => {
    if (over) return
    over = true
    users -= 1
    if (users > 0) return
    clearInterval(looking)
    setFlagsFromString('--heap-growing-percent=0')
    setFlagsFromString('--semi-space-growth-factor=2')
  }
}

/** Has young memory grow no more once it is large enough. */
function holdYoung(): void {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
  const factor = (young?.space_size ?? 0) < YOUNG_BYTES ? 2 : 1
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
}

/** How far memory may grow is decided anew when it is cleared, so that has to be done once. */
function clear(): void {
  if (performance.now() - cleared < CLEAR_EVERY_MS) return
  cleared = performance.now()
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect()
}

/** Goes through rows; as soon as they turn out to be very many, with memory kept low. */
export async function* leanly<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  let count = 0
  let end: (() => void) | undefined
  try {
    for await (const row of rows) {
      count += 1
      if (count === MANY) end = lean()
      yield row
    }
  } finally {
    end?.()
  }
}
