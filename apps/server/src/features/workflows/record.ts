import { getTableColumns, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { workflowRowSchema } from '@weft/contract/workflows/schema'
import { AppError } from '../../kit/app-error.ts'
import type { Decisions, Tx } from '../../kit/context.ts'
import { commonView } from '../../kit/resource/view.ts'
import { guardProject, obstacleOf } from '../projects/open.ts'
import { workflow } from './table.ts'

/** Where workflows are and how access rules see them. */
export const workflowSource = {
  table: workflow,
  subject: 'WORKFLOW',
  columns: { id: workflow.id, ownerId: workflow.ownerId, projectId: workflow.projectId, name: workflow.name },
  guard: guardProject,
} as const

const { draft: _draft, search: _search, ...rowColumns } = getTableColumns(workflow)

const placed = (
  type: string,
  name: string,
) => sql`w.draft @> jsonb_build_object('activities', jsonb_build_array(
  jsonb_build_object('type', ${type}::text, 'state', jsonb_build_object(${name}::text, ${workflow.id}::text))))`

/** A campaign that is not over, or another workflow, which keeps a workflow from the trash; of an activity, also any release. */
export const isUsed = sql<boolean>`(exists (select 1 from campaign c where c.workflow_id = ${workflow.id} and c.deleted_at is null
    and c.state not in ('finished', 'finished_with_errors', 'cancelled', 'archived'))
  or exists (select 1 from workflow w where w.id <> ${workflow.id} and w.deleted_at is null
    and case ${workflow.kind} when 'activity' then ${placed('custom-activity', 'activityId')}
      else ${placed('call-workflow', 'workflowId')} end)
  or (${workflow.kind} = 'activity' and exists (select 1 from release_step s join workflow w on w.id = s.workflow_id
    where s.activity = ${workflow.id}::text and w.id <> ${workflow.id} and w.deleted_at is null)))`

const projectStatus = sql<
  'active' | 'frozen' | 'archived' | null
>`(select p.status from project p where p.id = ${workflow.projectId})`
const projectName = sql<string | null>`(select p.name from project p where p.id = ${workflow.projectId})`

/** Selects workflows without their drafts, which may be large. */
export function selectWorkflows(tx: Tx) {
  return tx
    .select({
      row: rowColumns,
      projectName: sql<string | null>`${projectName}`,
      projectStatus: sql<'active' | 'frozen' | 'archived' | null>`${projectStatus}`,
      used: sql<boolean>`${isUsed}`,
    })
    .from(workflow)
    .$dynamic()
}

type Selected = Awaited<ReturnType<typeof selectWorkflows>>[number]

/** The body of a custom activity is changed by whoever may change it as a workflow and may change activities. */
function asActivity({ can }: Pick<Decisions, 'can'>): Pick<Decisions, 'can'> {
  return {
    can: (action, subject, record, field) => can('UPDATE', 'ACTIVITY') && can(action, subject, record, field),
  }
}

/** Refuses a change of a custom activity's body to somebody who may not change activities. */
export function requireActivityRight({ can }: Pick<Decisions, 'can'>, { kind }: { kind: string }): void {
  if (kind === 'activity' && !can('UPDATE', 'ACTIVITY')) throw new AppError('access.denied')
}

/** A workflow as a list shows it. */
export function presentRow(
  { row, projectName: project, projectStatus: status, used }: Selected,
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
    projectName: project,
    publishedRelease: row.publishedRelease,
    hasUnpublishedChanges,
    activityCount: row.activityCount,
  }
}
