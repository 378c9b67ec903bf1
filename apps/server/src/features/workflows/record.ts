import { getTableColumns, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { workflowRowSchema } from '@weft/contract/workflows/schema'
import type { Decisions, Tx } from '../../kit/context.ts'
import { commonView } from '../../kit/resource/view.ts'
import { workflow } from './table.ts'

/** Where workflows are and how access rules see them. */
export const workflowSource = {
  table: workflow,
  subject: 'WORKFLOW',
  columns: { id: workflow.id, ownerId: workflow.ownerId, projectId: workflow.projectId, name: workflow.name },
} as const

const { draft: _draft, search: _search, ...rowColumns } = getTableColumns(workflow)

/** A campaign that is not over, or another workflow, which keeps a workflow from the trash. */
export const isUsed = sql<boolean>`(exists (select 1 from campaign c where c.workflow_id = ${workflow.id} and c.deleted_at is null
    and c.state not in ('finished', 'finished_with_errors', 'cancelled', 'archived'))
  or exists (select 1 from workflow w where w.id <> ${workflow.id} and w.deleted_at is null and w.draft @>
    jsonb_build_object('activities', jsonb_build_array(jsonb_build_object('type', 'call-workflow', 'state', jsonb_build_object('workflowId', ${workflow.id}::text))))))`

const projectName = sql<string | null>`(select p.name from project p where p.id = ${workflow.projectId})`

/** Selects workflows without their drafts, which may be large. */
export function selectWorkflows(tx: Tx) {
  return tx
    .select({
      row: rowColumns,
      projectName: sql<string | null>`${projectName}`,
      used: sql<boolean>`${isUsed}`,
    })
    .from(workflow)
    .$dynamic()
}

type Selected = Awaited<ReturnType<typeof selectWorkflows>>[number]

/** A workflow as a list shows it. */
export function presentRow(
  { row, projectName: project, used }: Selected,
  decisions: Pick<Decisions, 'can'>,
): z.input<typeof workflowRowSchema> {
  const hasUnpublishedChanges = row.draftHash !== row.publishedHash
  return {
    ...commonView(row, 'WORKFLOW', decisions, {
      held: used,
      actions: [
        {
          name: 'publish',
          action: 'PUBLISH',
          obstacle: hasUnpublishedChanges ? null : 'workflow.nothing_to_publish',
        },
      ],
    }),
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
