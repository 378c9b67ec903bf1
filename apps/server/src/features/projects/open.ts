import { eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Action } from '@weft/contract/core/permissions'
import type { Project } from '@weft/contract/projects/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import { project } from './table.ts'

/** What stands in the way of changing something in a project: nothing while it is active. */
export function obstacleOf(
  status: Project['status'] | null | undefined,
): 'project.frozen' | 'project.archived' | null {
  if (status === 'frozen') return 'project.frozen'
  return status === 'archived' ? 'project.archived' : null
}

/** Refuses a change of a project that is frozen or archived. */
export function requireOpen({ status }: { status: Project['status'] }): void {
  const obstacle = obstacleOf(status)
  if (obstacle) throw new AppError(obstacle)
}

/** The same for something that is in a project, or in none; the project stays as it is until the end of the transaction. */
export async function requireOpenProject(tx: Tx, projectId: string | null): Promise<void> {
  if (projectId === null) return
  const [row] = await tx
    .select({ status: project.status })
    .from(project)
    .where(eq(project.id, projectId))
    .for('share')
  if (row) requireOpen(row)
}

/** What changes a record, and so is refused within a frozen project; what runs may be paused and ended. */
const CHANGES: readonly Action[] = ['UPDATE', 'DELETE', 'PUBLISH']

/** Stands before every change of a workflow or campaign: `findRecord` asks it. */
export async function guardProject(
  { tx }: Pick<CallContext, 'tx'>,
  row: { projectId: string | null },
  action: Action,
): Promise<void> {
  if (CHANGES.includes(action)) await requireOpenProject(tx, row.projectId)
}

/**
 * Refuses to put something into a project where the caller may not make such a thing of anybody's: seeing a project is
 * not enough, since what is in it uses its secrets.
 */
export async function requirePlace(
  ctx: Pick<CallContext, 'tx' | 'can'>,
  projectId: string | null | undefined,
  subject: 'WORKFLOW' | 'CAMPAIGN',
): Promise<void> {
  if (projectId === null || projectId === undefined) return
  const [row] = await ctx.tx
    .select({ ownerId: project.ownerId, status: project.status, name: project.name })
    .from(project)
    .where(eq(project.id, projectId))
    .for('share')
  if (!row) return
  if (!ctx.can('CREATE', subject, { ownerId: row.ownerId, projectId }))
    throw new AppError('project.not_yours', { name: row.name })
  requireOpen(row)
}

/** What comes back from the trash while its project is still there, or is gone, belongs to none. */
export async function leaveTrashedProject(
  tx: Tx,
  table: PgTable & { id: PgColumn; projectId: PgColumn },
  id: string,
): Promise<void> {
  await tx.execute(sql`update ${table} set project_id = null where id = ${id}
    and not exists (select 1 from project p where p.id = project_id and p.deleted_at is null)`)
}
