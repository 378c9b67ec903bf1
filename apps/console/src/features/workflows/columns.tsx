import { Link } from 'react-router'
import type { WorkflowRow } from '@weft/contract/workflows/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Dash } from '../../kit/values/values.tsx'
import { ReleaseBadge } from './release-badge.tsx'

const col = columnsOf<WorkflowRow>()

/** The columns of the workflow list. */
export const workflowColumns = [
  col.name('name'),
  col.cell('publishedRelease', (row) => <ReleaseBadge workflow={row} />),
  col.number('activityCount'),
  col.cell('projectName', (row) =>
    row.projectId ? (
      <Link to={`/cms/project/detail/${row.projectId}`} onClick={(event) => event.stopPropagation()}>
        <bdi>{row.projectName}</bdi>
      </Link>
    ) : (
      <Dash />
    ),
  ),
  col.date('updatedAt'),
  col.text('folder', { hidden: true }),
  col.text('description', { hidden: true }),
  col.tags('tags', { hidden: true }),
  col.date('createdAt', { hidden: true }),
]
