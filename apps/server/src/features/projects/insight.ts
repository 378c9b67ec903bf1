import { and, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { projectInsight } from '@weft/contract/projects/insight-api'
import type { ProjectHealth } from '@weft/contract/projects/transfer'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { findRecord } from '../../kit/record.ts'
import { scopeColumns, sourceOf } from '../../kit/resource/definition.ts'
import { audit } from '../../kit/tables.ts'
import { switchedOff } from '../activities/switched-off.ts'
import { campaign } from '../campaigns/table.ts'
import { mayOfRun } from '../runs/rules.ts'
import { loadCalled } from '../workflows/calls.ts'
import { problemsOf } from '../workflows/document.ts'
import { workflow, workflowRelease } from '../workflows/table.ts'
import { knownNames } from './names.ts'
import { projectRecord } from './record.ts'

type Own = Pick<Implementation<typeof projectInsight>, 'releases' | 'activity' | 'health'>

const DAYS = 7
const MAX_FAILURES = 20
/** Workflows beyond these are not looked through for mistakes at once. */
const MAX_CHECKED = 100

/** What there is to tell of a project: its releases, who did what, what failed. */
export function insightHandlers(): Own {
  const source = sourceOf(projectRecord)
  const seen = (ctx: CallContext) => ctx.scope('VIEW', 'WORKFLOW', scopeColumns(workflow))
  return {
    async releases(ctx, { id, ...input }) {
      await findRecord(ctx, source, id)
      return listOf(ctx.tx, input, {
        rows: (tx) =>
          tx
            .select({
              id: workflowRelease.id,
              workflowId: workflowRelease.workflowId,
              workflowName: workflow.name,
              number: workflowRelease.number,
              changelog: workflowRelease.changelog,
              isNewest: sql<boolean>`${workflowRelease.number} = ${workflow.publishedRelease}`,
              createdAt: workflowRelease.createdAt,
              createdByName: sql<
                string | null
              >`(select u.display_name from app_user u where u.id = ${workflowRelease.createdBy})`,
            })
            .from(workflowRelease)
            .innerJoin(workflow, eq(workflow.id, workflowRelease.workflowId))
            .$dynamic(),
        table: workflowRelease,
        id: workflowRelease.id,
        where: [
          sql`exists (select 1 from ${workflow} where ${workflow.id} = ${workflowRelease.workflowId}
            and ${workflow.projectId} = ${id} and ${workflow.kind} = 'workflow' and ${workflow.deletedAt} is null and ${seen(ctx)})`,
        ],
        search: [workflowRelease.changelog],
        sort: { createdAt: workflowRelease.createdAt },
        defaultSort: { by: 'createdAt', desc: true },
        present: (rows) => rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
      })
    },

    async activity(ctx, { id, ...input }) {
      await findRecord(ctx, source, id)
      return listOf(ctx.tx, input, {
        rows: (tx) => tx.select().from(audit).$dynamic(),
        table: audit,
        id: audit.id,
        where: [
          sql`((${audit.feature} = 'projects' and ${audit.recordId} = ${id})
            or (${audit.feature} = 'workflows' and ${audit.recordId} = any(array(select ${workflow.id}::text from ${workflow}
              where ${workflow.projectId} = ${id} and ${seen(ctx)})))
            or (${audit.feature} = 'campaigns' and ${audit.recordId} = any(array(select ${campaign.id}::text from ${campaign}
              where ${campaign.projectId} = ${id} and ${ctx.scope('VIEW', 'CAMPAIGN', scopeColumns(campaign))}))))`,
        ],
        search: [audit.actorName],
        sort: { at: audit.at },
        defaultSort: { by: 'at', desc: true },
        present: (rows) => rows.map((row) => ({ ...row, at: row.at.toISOString() })),
      })
    },

    async health(ctx, { id }) {
      await findRecord(ctx, source, id)
      return { days: DAYS, ...(await lately(ctx, id)), workflows: await mistakes(ctx, id) }
    },
  }
}

const failure = z.object({
  runId: z.string(),
  workflowId: z.string(),
  workflowName: z.string(),
  at: z.coerce.date(),
  errorClass: z.string().nullable(),
  message: z.string().nullable(),
})
const counts = z.object({ succeeded: z.number(), failed: z.number() })

/** The runs that ended within some days, and the last of those that failed. */
async function lately(ctx: CallContext, id: string): Promise<Pick<ProjectHealth, 'runs' | 'failures'>> {
  const runs = sql`run join workflow w on w.id = run.workflow_id where w.project_id = ${id} and w.kind = 'workflow'
    and run.finished_at > now() - make_interval(days => ${DAYS}) and run.release is not null and ${mayOfRun(ctx, 'VIEW')}`
  const failed = sql`run.result in ('failed', 'timed_out', 'lost')`
  const found = await ctx.tx.execute(sql`
    select count(*) filter (where run.result = 'succeeded')::int as succeeded,
      count(*) filter (where ${failed})::int as failed from ${runs}`)
  const last = await ctx.tx.execute(sql`
    select run.id as "runId", w.id as "workflowId", w.name as "workflowName", run.finished_at as at,
      run.error ->> 'class' as "errorClass", run.error ->> 'message' as message
    from ${runs} and ${failed} order by run.finished_at desc limit ${MAX_FAILURES}`)
  return {
    runs: counts.parse(found.rows[0]),
    failures: last.rows.map((raw) => {
      const { at, ...row } = failure.parse(raw)
      return { ...row, at: at.toISOString() }
    }),
  }
}

/** The workflows whose drafts have mistakes, those with most first. */
async function mistakes(ctx: CallContext, id: string): Promise<ProjectHealth['workflows']> {
  const rows = await ctx.tx
    .select({ id: workflow.id, name: workflow.name, draft: workflow.draft })
    .from(workflow)
    .where(
      and(
        eq(workflow.projectId, id),
        eq(workflow.kind, 'workflow'),
        isNull(workflow.deletedAt),
        ctx.scope('VIEW', 'WORKFLOW', scopeColumns(workflow)),
      ),
    )
    .orderBy(sql`${workflow.updatedAt} desc`)
    .limit(MAX_CHECKED)
  const known = { project: await knownNames(ctx.tx, id), switchedOff: await switchedOff(ctx.tx) }
  const found: ProjectHealth['workflows'] = []
  for (const row of rows) {
    const findWorkflow = await loadCalled(ctx, row.draft)
    const problems = problemsOf(row.draft, { findWorkflow, workflowId: row.id, ...known })
    const errors = problems.filter(({ severity }) => severity === 'error').length
    if (problems.length > 0)
      found.push({ id: row.id, name: row.name, errors, warnings: problems.length - errors })
  }
  return found.toSorted((a, b) => b.errors - a.errors || b.warnings - a.warnings)
}
