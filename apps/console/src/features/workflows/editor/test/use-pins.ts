import { useEffect, useMemo } from 'react'
import { testRuns } from '@weft/contract/test-runs/api'
import { useChange } from '../../../../kit/actions/use-change.ts'
import { useRead } from '../../../../lib/query.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { useTestDesk } from './test-desk.ts'

/** The steps whose output is pinned, and what pins and frees one. */
export function usePins() {
  const t = useT()
  const { workflow } = useEditor()
  const { data } = useRead(testRuns.pins, { workflowId: workflow.id })
  const left = useRead(testRuns.lastValues, { workflowId: workflow.id }).data
  const pinned = useMemo(() => new Set((data ?? []).map(({ activityId }) => activityId)), [data])
  const set = useChange(testRuns.setPin, { done: t('test.pinned') })
  const remove = useChange(testRuns.removePin, { done: t('test.unpinned') })
  return {
    pinned,
    /** Whether the last test run left something to pin. */
    canPin: (activityId: string) => left?.runId != null && left.steps[activityId] !== undefined,
    pin: (activityId: string) => {
      if (left?.runId) set.mutate({ workflowId: workflow.id, activityId, runId: left.runId })
    },
    unpin: (activityId: string) => remove.mutate({ workflowId: workflow.id, activityId }),
  }
}

/** Keeps the marks of the pinned steps as the server knows them. */
export function usePinMarks(): void {
  const { workflow } = useEditor()
  const { marks } = useTestDesk()
  const { data } = useRead(testRuns.pins, { workflowId: workflow.id })
  useEffect(() => {
    if (data) marks.pin(new Set(data.map(({ activityId }) => activityId)))
  }, [data, marks])
}
