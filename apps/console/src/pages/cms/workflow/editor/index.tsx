import { WorkflowListPage } from '../../../../features/workflows/list.tsx'

/** The editor without a workflow: which one? */
export default function WorkflowsPage() {
  return <WorkflowListPage newPath="/cms/workflow/editor/new" />
}
