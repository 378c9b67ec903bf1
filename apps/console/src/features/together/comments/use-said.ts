import { workflowComments } from '@weft/contract/workflow-comments/api'
import type { CommentSummary } from '@weft/contract/workflow-comments/schema'
import { useEffect } from 'react'
import { useRead } from '../../../lib/query.ts'
import type { Together } from '../together.ts'

/** How much is said in the workflow; the steps' marks follow it. */
export function useSaid(workflowId: string, together: Together): CommentSummary | undefined {
  const { data } = useRead(workflowComments.summary, { workflowId })
  useEffect(() => {
    if (!data) return
    together.said.replace(
      new Map(
        data.places.flatMap(({ activityId, open, unread }) =>
          activityId === null ? [] : [[activityId, { open, unread }] as const],
        ),
      ),
    )
  }, [data, together])
  return data
}
