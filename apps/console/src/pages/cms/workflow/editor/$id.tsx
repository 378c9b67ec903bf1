import { useParams } from 'react-router'
import { workflows } from '@weft/contract/workflows/api'
import { WorkflowEditor } from '../../../../features/workflows/editor/workflow-editor.tsx'
import { Load } from '../../../../kit/states/states.tsx'
import { useRead } from '../../../../lib/query.ts'

/** One workflow: its steps as an outline, its inputs, settings and releases. */
export default function WorkflowPage() {
  const { id = '' } = useParams()
  const record = useRead(workflows.get, { id })
  return <Load of={record}>{(workflow) => <WorkflowEditor key={workflow.id} workflow={workflow} />}</Load>
}
