import { Outlet } from 'react-router'
import { WorkflowListPage } from '../../../features/workflows/list.tsx'

/** All workflows. */
export default function WorkflowsPage() {
  return (
    <>
      <WorkflowListPage newPath="/cms/workflow/list/new" />
      <Outlet />
    </>
  )
}
