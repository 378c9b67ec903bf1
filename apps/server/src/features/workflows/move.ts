import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { requirePlace } from '../projects/open.ts'
import type { WorkflowRecord } from './table.ts'

/** Taking a workflow out of a project is as deleting it there, and putting it into another as making it there. */
export async function requireMove(
  ctx: CallContext,
  row: WorkflowRecord,
  projectId: string | null,
): Promise<void> {
  if (!ctx.can('DELETE', 'WORKFLOW', row) || !ctx.can('UPDATE', 'WORKFLOW', { ...row, projectId }))
    throw new AppError('access.denied')
  await requirePlace(ctx, projectId, 'WORKFLOW')
}
