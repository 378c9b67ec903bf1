import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { workflows } from '@weft/contract/workflows/api'
import { Filters, SearchFilter, SelectFilter, useList } from '../../kit/list/filters.tsx'
import { ListInPage } from '../../kit/list/list-in-page.tsx'
import { useResourceTable } from '../../kit/list/use-resource-table.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useCan } from '../../lib/can.ts'
import { useRead } from '../../lib/query.ts'
import { workflowActions, workflowPath } from './actions.ts'
import { workflowColumns } from './columns.tsx'
import { ImportButton } from './import-button.tsx'
import { useT } from './text.ts'

const PUBLISHED = ['true', 'false'] as const

/** The button that leads to a new workflow, if the person may make one. */
export function NewWorkflowButton({ to, variant }: { to: string; variant?: 'filled' | 'default' }) {
  const t = useT()
  const may = useCan()('CREATE', 'WORKFLOW')
  if (!may) return null
  return (
    <Button
      component={Link}
      to={to}
      variant={variant ?? 'filled'}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t('new')}
    </Button>
  )
}

/** All workflows; `newPath` is the address of the drawer for a new one. */
export function WorkflowListPage({ newPath }: { newPath: string }) {
  const t = useT()
  const list = useResourceTable(workflows.list, {
    columns: workflowColumns,
    actions: workflowActions,
    resource: { restore: workflows.restore },
    openTo: ({ id }) => workflowPath(id),
    empty: { action: <NewWorkflowButton to={newPath} variant="default" /> },
  })
  return (
    <Page
      title={t('title')}
      count={list.count}
      back={aboveOf(list.state.filters['folder'])}
      actions={
        <>
          <ImportButton />
          <NewWorkflowButton to={newPath} />
        </>
      }
    >
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="published" options={PUBLISHED} />
        <FolderFilter />
      </Filters>
      {list.table}
    </Page>
  )
}

/** Where the arrow leads: out of a folder into the one around it, out of the list to the projects. */
function aboveOf(folder: string | undefined): string {
  if (!folder) return '/cms/project/list'
  const around = folder.includes(',') ? '' : folder.split('/').slice(0, -1).join('/')
  return around ? `/cms/workflow/list?folder=${encodeURIComponent(around)}` : '/cms/workflow/list'
}

/** The folders that there are, each with how many workflows lie in it. */
function FolderFilter() {
  const { data } = useRead(workflows.folders, {})
  const { filters } = useList().state
  const folders = data ?? []
  if (folders.length === 0 && filters['folder'] === undefined) return null
  const named = folders.map(({ folder, count }) => [folder, `${folder.replaceAll('/', ' / ')} (${count})`])
  return (
    <SelectFilter
      name="folder"
      options={folders.map(({ folder }) => folder)}
      labels={Object.fromEntries(named)}
    />
  )
}

/** The workflows of one project, within its page. */
export function ProjectWorkflows({ projectId, newPath }: { projectId: string; newPath: string }) {
  const list = useResourceTable(workflows.list, {
    columns: workflowColumns.filter(({ id }) => id !== 'projectName'),
    actions: workflowActions,
    fixed: { projectId },
    key: 'workflows',
    openTo: ({ id }) => workflowPath(id),
    empty: { action: <NewWorkflowButton to={newPath} variant="default" /> },
  })
  return <ListInPage of={list} />
}
