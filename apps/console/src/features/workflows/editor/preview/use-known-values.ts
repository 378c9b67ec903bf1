import { useMemo } from 'react'
import { projects } from '@weft/contract/projects/api'
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
  const { projectId } = workflow
  const { data: project } = useRead(projects.get, { id: projectId ?? '' }, { enabled: projectId !== null })
  const { inputs, variables } = document
  const known = useMemo(() => {
    const ofProject = (project?.variables ?? []).map(({ name, value }) => [name, value])
    return knownValues({ inputs, variables }, left, Object.fromEntries(ofProject))
  }, [inputs, variables, left, project])
  return { known, at: data?.at ?? null }
}
