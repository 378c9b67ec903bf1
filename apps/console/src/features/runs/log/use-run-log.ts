import { useCallback, useEffect, useRef, useState } from 'react'
import { runs } from '@weft/contract/runs/api'
import { call } from '../../../lib/api.ts'
import { useWatch } from '../../../lib/realtime/use-watch.ts'
import { addEarlier, addLater, beginAt, OVERLAP_BYTES, TAIL_BYTES, type ReadLog } from './stored-log.ts'

const GATHER_MS = 300
/** While a run goes on and no live message comes, the stored log is looked at all the same. */
const LOOK_EVERY_MS = 5000

/**
 * A run's log: its stored end, and what is added while it runs. The live stream only says that there is more; the lines
 * themselves are read from the store, so none is missing or twice.
 */
export function useRunLog(id: string, size: number, live: boolean) {
  const [log, setLog] = useState<ReadLog | null>(null)
  const [error, setError] = useState<unknown>(null)
  const state = useRef<{ next: number; busy: boolean; again: boolean }>({
    next: beginAt(size),
    busy: false,
    again: false,
  })
  const start = useRef(beginAt(size))

  const readOn = useCallback(async () => {
    const now = state.current
    if (now.busy) {
      now.again = true
      return
    }
    now.busy = true
    try {
      do {
        now.again = false
        const from = now.next
        const answer = await call(runs.log, { id, offset: from, bytes: TAIL_BYTES })
        now.next = answer.next
        if (answer.next > from && answer.next < answer.size) now.again = true
        setLog((before) =>
          addLater(before ?? { lines: [], start: start.current, next: from, size: 0 }, answer, from),
        )
      } while (now.again)
      setError(null)
    } catch (failure) {
      setError(failure)
    } finally {
      now.busy = false
    }
  }, [id])

  useEffect(() => {
    void readOn()
  }, [readOn])

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const soon = useCallback(() => {
    if (timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      void readOn()
    }, GATHER_MS)
  }, [readOn])
  useEffect(() => () => clearTimeout(timer.current), [])

  useWatch('runs', live ? id : null, soon)
  useEffect(() => {
    if (!live) {
      // Its last lines may be stored just before it is over.
      soon()
      return undefined
    }
    const looking = setInterval(soon, LOOK_EVERY_MS)
    return () => clearInterval(looking)
  }, [live, soon])

  const readEarlier = async () => {
    if (!log || log.start === 0) return
    const from = Math.max(0, log.start - TAIL_BYTES)
    try {
      const answer = await call(runs.log, { id, offset: from, bytes: log.start - from + OVERLAP_BYTES })
      setLog((before) => before && addEarlier(before, answer, from))
    } catch (failure) {
      setError(failure)
    }
  }
  return { log, error, readEarlier, retry: () => void readOn() }
}
