import { Outlet } from 'react-router'
import { projects } from '@weft/contract/projects/api'
import { PROJECT_STATUSES } from '@weft/contract/projects/schema'
import { projectActions, projectPath } from '../../../features/projects/actions.ts'
import { projectColumns } from '../../../features/projects/columns.tsx'
import { useT } from '../../../features/projects/text.ts'
import { CreateButton } from '../../../kit/actions/create-button.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { ImportLink } from '../../../features/projects/import-link.tsx'
import { WorkflowsLink } from '../../../features/projects/workflows-link.tsx'

/** All projects. */
export default function ProjectsPage() {
  const t = useT()
  const list = useResourceTable(projects.list, {
    columns: projectColumns,
    actions: projectActions,
    resource: { restore: projects.restore },
    openTo: ({ id }) => projectPath(id),
    nameOf: ({ name }) => name,
    empty: { action: <CreateButton for={projects.create} /> },
  })
  return (
    <Page
      title={t('title')}
      count={list.count}
      actions={
        <>
          <WorkflowsLink />
          <ImportLink />
          <CreateButton for={projects.create} />
        </>
      }
    >
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="status" options={PROJECT_STATUSES} />
      </Filters>
      {list.table}
      <Outlet />
    </Page>
  )
}
