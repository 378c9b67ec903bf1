import { useMemo } from 'react'
import { runs } from '@weft/contract/runs/api'
import { testRuns } from '@weft/contract/test-runs/api'
import { jsonObjectSchema } from '@weft/workflow/document'
import type { JsonObject } from '@weft/workflow/json'
import { useRead } from '../../../../../lib/query.ts'
import type { KnownValues } from '../../../model/preview/known-values.ts'
import { useEditor } from '../../context.ts'
import { useKnownValues } from '../../preview/use-known-values.ts'

/** What is known beside what every expression sees: what the run gave, and how it ended. */
export interface LastRun {
  known: KnownValues & { outputs?: JsonObject }
  /** Null where there was no test run, or the last one is not over. */
  ended: { outputs: JsonObject; result: string } | null
}

/** What the person's last test run left, for those who look back on a whole run. */
export function useLastRun(): LastRun {
  const { workflow } = useEditor()
  const { known } = useKnownValues()
  const { data: left } = useRead(testRuns.lastValues, { workflowId: workflow.id })
  const runId = left?.runId ?? null
  const { data: run } = useRead(runs.get, { id: runId ?? '' }, { enabled: runId !== null })
  return useMemo(() => {
    if (!run || run.cycle !== 'finished' || run.result === null) return { known, ended: null }
    const outputs = jsonObjectSchema.safeParse(run.outputs ?? {}).data ?? {}
    const error = run.error && {
      class: run.error.class,
      message: run.error.message,
      stepId: run.error.stepId,
    }
    return {
      known: { ...known, outputs, ...(error ? { error } : {}) },
      ended: { outputs, result: run.result },
    }
  }, [known, run])
}
