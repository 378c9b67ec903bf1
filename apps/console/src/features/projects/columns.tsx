import type { ProjectRow as Project } from '@weft/contract/projects/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import classes from './projects.module.css'

const col = columnsOf<Project>()

/** The columns of the project list. */
export const projectColumns = [
  col.cell(
    'name',
    (row) => (
      <span className={classes.name}>
        <span className={classes.dot} style={{ background: row.colour }} aria-hidden />
        <bdi>{row.name}</bdi>
      </span>
    ),
    { isName: true },
  ),
  col.status('status'),
  col.number('workflowCount'),
  col.number('campaignCount'),
  col.text('description', { grow: true, phone: false }),
  col.date('updatedAt'),
  col.date('createdAt', { hidden: true }),
]
