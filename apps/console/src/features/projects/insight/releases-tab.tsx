import { Badge } from '@mantine/core'
import { Link } from 'react-router'
import { projectInsight } from '@weft/contract/projects/insight-api'
import type { ProjectRelease } from '@weft/contract/projects/transfer'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { ListInPage } from '../../../kit/list/list-in-page.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { workflowPath } from '../../workflows/actions.ts'
import { useT } from '../text.ts'
import classes from '../projects.module.css'

const col = columnsOf<ProjectRelease>()

/** The releases of all workflows of a project, newest first. */
export function ReleasesTab({ projectId }: { projectId: string }) {
  const t = useT()
  const list = useResourceTable(projectInsight.releases, {
    columns: [
      col.cell(
        'workflowName',
        (row) => (
          <Link to={workflowPath(row.workflowId)}>
            <bdi>{row.workflowName}</bdi>
          </Link>
        ),
        { isName: true },
      ),
      col.cell('number', (row) => (
        <span className={classes.person}>
          <span className="numbers">{row.number}</span>
          {row.isNewest && (
            <Badge variant="light" tt="none" color="green">
              {t('insight.newest')}
            </Badge>
          )}
        </span>
      )),
      col.text('changelog', { grow: true }),
      col.text('createdByName'),
      col.date('createdAt'),
    ],
    fixed: { id: projectId },
    key: 'releases',
    openTo: () => null,
    nameOf: ({ workflowName }) => workflowName,
    selectable: false,
  })
  return <ListInPage of={list} />
}
