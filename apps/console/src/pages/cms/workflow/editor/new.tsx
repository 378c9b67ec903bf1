import { useSearchParams } from 'react-router'
import { NewWorkflow } from '../../../../features/workflows/form.tsx'
import { WorkflowListPage } from '../../../../features/workflows/list.tsx'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A new workflow; `?project=` says where it shall belong. */
export default function NewWorkflowPage() {
  const [search] = useSearchParams()
  const project = search.get('project')
  const projectId = project !== null && UUID.test(project) ? project : null
  return (
    <>
      <WorkflowListPage newPath="/cms/workflow/editor/new" />
      <NewWorkflow
        projectId={projectId}
        closeTo={projectId ? `/cms/project/detail/${projectId}` : '/cms/workflow/editor'}
      />
    </>
  )
}
