import { useEffect, useRef } from 'react'
import { testRuns } from '@weft/contract/test-runs/api'
import { runs } from '@weft/contract/runs/api'
import { testRunMessageSchema } from '@weft/contract/test-runs/schema'
import { testRunTold } from '../../../../lib/realtime/test-runs.ts'
import { watches } from '../../../../lib/realtime/watches.ts'
import { invalidateFeatures, useRead } from '../../../../lib/query.ts'
import { useEditor } from '../context.ts'
import { useTestDesk } from './test-desk.ts'
import { useValueOf } from '../../../../lib/use-value-of.ts'

/** Messages come in bursts; what is stored is read once for each. */
const GATHER_MS = 500
/** While a run goes on and no message comes, it is looked at all the same. */
const LOOK_EVERY_MS = 3000

/** The test run that is shown, followed while it goes on: messages paint the steps at once, the stored run is exact. */
export function useLiveRun() {
  const { runId: shown, marks } = useTestDesk()
  const runId = useValueOf(shown)
  const read = useRead(runs.get, { id: runId ?? '' }, { enabled: runId !== null })
  const { data, refetch } = read
  useUnderWay(runId === null)
  const over = data?.cycle === 'finished'
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (runId === null || over) return undefined
    const soon = () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void refetch(), GATHER_MS)
    }
    const stop = testRunTold.on((told) => {
      const message = testRunMessageSchema.safeParse(told).data
      if (message?.runId !== runId) return
      marks.tell(message.steps)
      if (message.lines.length > 0) watches.tell('runs', runId, message)
      soon()
    })
    const looking = setInterval(() => void refetch(), LOOK_EVERY_MS)
    return () => {
      stop()
      clearInterval(looking)
      clearTimeout(timer.current)
    }
  }, [runId, over, marks, refetch])

  useEffect(() => {
    if (!data) return
    marks.tell(data.steps)
    if (data.cycle !== 'finished') return
    marks.settle()
    // What it left is what previews show and what can be pinned.
    void invalidateFeatures(['testRuns'])
  }, [data, marks])
  return { runId, read }
}

/** After the page was loaded anew: one's own test run that still goes on is shown again. */
function useUnderWay(wanted: boolean): void {
  const desk = useTestDesk()
  const { workflow } = useEditor()
  const { data } = useRead(
    testRuns.list,
    { workflowId: workflow.id, perPage: 1, sortBy: 'queuedAt', sortDesc: true },
    { enabled: wanted },
  )
  const [newest] = data?.data ?? []
  const id = newest?.mine && newest.cycle !== 'finished' ? newest.id : null
  useEffect(() => {
    if (!wanted || id === null) return
    desk.runId.set(id)
    desk.part.set('steps')
  }, [wanted, id, desk])
}
