import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { workflowRowSchema } from '@weft/contract/workflows/schema'
import { AppError } from '../../kit/app-error.ts'
import type { Decisions, Tx } from '../../kit/context.ts'
import { linkTo } from '../../kit/resource/definition.ts'
import { commonView } from '../../kit/resource/view.ts'
import { guardProject, obstacleOf } from '../projects/open.ts'
import { project } from '../projects/table.ts'
import { workflow, type WorkflowRecord } from './table.ts'

/** Where workflows are and how access rules see them. */
export const workflowSource = {
  table: workflow,
  subject: 'WORKFLOW',
  columns: { id: workflow.id, ownerId: workflow.ownerId, projectId: workflow.projectId, name: workflow.name },
  guard: guardProject,
} as const

/** The same for custom activities, which have rules of their own. */
export const activitySource = { ...workflowSource, subject: 'ACTIVITY' } as const

/** The records that a workflow names. */
export const workflowLinks = { links: [linkTo('projectId', { table: project, subject: 'PROJECT' })] }

const { draft: _draft, search: _search, ...rowColumns } = getTableColumns(workflow)

const placed = (draft: SQL, type: string, name: string, id: SQL) =>
  sql`${draft} @> jsonb_build_object('activities', jsonb_build_array(
  jsonb_build_object('type', ${type}::text, 'state', jsonb_build_object(${name}::text, ${id}::text))))`

/** Whether a draft has a step that calls the workflow of this id. */
export const callsWorkflow = (draft: SQL, id: SQL): SQL => placed(draft, 'call-workflow', 'workflowId', id)

/** Whether a draft has a step that is of the custom activity of this id. */
export const isOfActivity = (draft: SQL, id: SQL): SQL => placed(draft, 'custom-activity', 'activityId', id)

/** Of the state of a campaign: nothing of it will run any more. */
export const isOver = (state: SQL): SQL =>
  sql`${state} in ('finished', 'finished_with_errors', 'cancelled', 'archived')`

/** Of a campaign `c`: nothing of it will run any more. */
export const campaignIsOver = isOver(sql`c.state`)

const own = sql`${workflow.id}`
const others = sql`w.draft`

/** A campaign that is not over, or another workflow, which keeps a workflow from the trash; of an activity, also any release. */
export const isUsed = sql<boolean>`(exists (select 1 from campaign c where c.workflow_id = ${workflow.id} and c.deleted_at is null
    and not ${campaignIsOver})
  or exists (select 1 from workflow w where w.id <> ${workflow.id} and w.deleted_at is null
    and case ${workflow.kind} when 'activity' then ${isOfActivity(others, own)}
      else ${callsWorkflow(others, own)} end)
  or (${workflow.kind} = 'activity' and exists (select 1 from release_step s join workflow w on w.id = s.workflow_id
    where s.activity = ${workflow.id}::text and w.id <> ${workflow.id} and w.deleted_at is null)))`

/** How the project of a workflow is; null where it is in none. */
export const projectStatus = sql<
  'active' | 'frozen' | 'archived' | null
>`(select p.status from project p where p.id = ${workflow.projectId})`
const projectName = sql<string | null>`(select p.name from project p where p.id = ${workflow.projectId})`

/** Selects workflows without their drafts, which may be large. */
export function selectWorkflows(tx: Tx) {
  return tx
    .select({
      row: rowColumns,
      projectName: sql<string | null>`${projectName}`,
      projectStatus,
      used: sql<boolean>`${isUsed}`,
    })
    .from(workflow)
    .$dynamic()
}

type Selected = Awaited<ReturnType<typeof selectWorkflows>>[number]

/** The body of a custom activity is changed by whoever may change it as a workflow and may change activities. */
function asActivity({ can }: Pick<Decisions, 'can'>): Pick<Decisions, 'can'> {
  return {
    can: (action, subject, record, field) =>
      can('UPDATE', 'ACTIVITY', record) && can(action, subject, record, field),
  }
}

/** Refuses a change of a custom activity's body to somebody who may not change activities. */
export function requireActivityRight({ can }: Pick<Decisions, 'can'>, row: WorkflowRecord): void {
  if (row.kind === 'activity' && !can('UPDATE', 'ACTIVITY', row)) throw new AppError('access.denied')
}

/** A workflow as a list shows it. */
export function presentRow(
  { row, projectName: inProject, projectStatus: status, used }: Selected,
  everywhere: Pick<Decisions, 'can'>,
): z.input<typeof workflowRowSchema> {
  const decisions = row.kind === 'activity' ? asActivity(everywhere) : everywhere
  const obstacle = obstacleOf(status)
  const hasUnpublishedChanges = row.draftHash !== row.publishedHash
  return {
    ...commonView(row, 'WORKFLOW', decisions, {
      held: used,
      obstacle,
      actions: [
        // A test run needs this beside the right to change.
        { name: 'run', action: 'RUN', obstacle },
        { name: 'export', action: 'EXPORT' },
        {
          name: 'publish',
          action: 'PUBLISH',
          obstacle: obstacle ?? (hasUnpublishedChanges ? null : 'workflow.nothing_to_publish'),
        },
      ],
    }),
    kind: row.kind,
    name: row.name,
    description: row.description,
    icon: row.icon,
    projectId: row.projectId,
    projectName: inProject,
    folder: row.folder,
    publishedRelease: row.publishedRelease,
    hasUnpublishedChanges,
    testsMustPass: row.testsMustPass,
    activityCount: row.activityCount,
  }
}
