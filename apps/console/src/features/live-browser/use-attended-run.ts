import { useCallback, useState } from 'react'
import type { attendedRuns } from '@weft/contract/attended-runs/api'
import type { AttendedRun } from '@weft/contract/attended-runs/schema'
import type { editorBrowsers } from '@weft/contract/editor-browsers/api'
import { useRead } from '../../lib/query.ts'

const LOOK_MS = 1000
/** Pictures tell at once when an open one is over. */
const OPEN_LOOK_MS = 10_000
const UNDER_WAY: readonly AttendedRun['state'][] = ['waiting', 'starting', 'open', 'saving']

/** Whether a browser is still on its way, open, or being saved. */
export const isUnderWay = ({ state }: Pick<AttendedRun, 'state'>): boolean => UNDER_WAY.includes(state)

/** The record of an open browser, read again for as long as it changes by itself. */
export function useAttendedRun(get: typeof attendedRuns.get | typeof editorBrowsers.get, id: string | null) {
  const [every, setEvery] = useState(LOOK_MS)
  const record = useRead(get, { id: id ?? '' }, { enabled: id !== null, every })
  const { data, refetch, dataUpdatedAt: at } = record
  const wanted = !data ? LOOK_MS : data.state === 'open' ? OPEN_LOOK_MS : isUnderWay(data) ? LOOK_MS : 0
  if (wanted !== every) setEvery(wanted)
  const look = useCallback(() => void refetch(), [refetch])
  return { record, run: id === null ? null : (data ?? null), at, look }
}
