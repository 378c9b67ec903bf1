import { useMemo } from 'react'
import { testRuns } from '@weft/contract/test-runs/api'
import { useRead } from '../../../../lib/query.ts'
import { asLeft } from '../../model/preview/left-values.ts'
import { knownValues, type KnownValues } from '../../model/preview/known-values.ts'
import { useEditor } from '../context.ts'

/** What expressions of this workflow can be shown with: the last test run's values over those that are declared. */
export function useKnownValues(): { known: KnownValues; at: string | null } {
  const { workflow, document } = useEditor()
  const { data } = useRead(testRuns.lastValues, { workflowId: workflow.id })
  const left = useMemo(() => (data ? asLeft(data) : null), [data])
  const known = useMemo(() => knownValues(document, left), [document, left])
  return { known, at: data?.at ?? null }
}
