import { and, asc, eq, sql } from 'drizzle-orm'
import { PIN_LIMITS, type Pin } from '@weft/contract/test-runs/schema'
import { isPinnable } from '@weft/workflow/interpret/part'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { testPin, testRun } from './table.ts'
import { isShortened, outputsTold } from './values.ts'

/** The pins of the caller in a workflow. */
export async function pinsOf({ tx, user }: CallContext, workflowId: string): Promise<Pin[]> {
  const rows = await tx
    .select()
    .from(testPin)
    .where(and(eq(testPin.workflowId, workflowId), eq(testPin.userId, user.id)))
    .orderBy(asc(testPin.activityId))
  return rows.map(present)
}

/** Takes the output that a step had in one of the caller's test runs, and pins it. */
export async function pinStep(
  ctx: CallContext,
  { workflowId, activityId, runId }: { workflowId: string; activityId: string; runId: string },
): Promise<Pin> {
  const { tx, user } = ctx
  const [run] = await tx
    .select()
    .from(testRun)
    .where(and(eq(testRun.runId, runId), eq(testRun.workflowId, workflowId), eq(testRun.startedBy, user.id)))
  if (!run) throw new AppError('record.not_found')
  const activity = run.document.activities.find(({ id }) => id === activityId)
  if (!activity) throw new AppError('testRun.unknown_step', { activity: activityId })
  if (!isPinnable(activity)) throw new AppError('testRun.not_pinnable', { activity: activityId })
  const output = run.steps?.[activityId] ?? (await outputsTold(tx, runId))[activityId]
  if (output === undefined) throw new AppError('testRun.no_output', { activity: activityId })
  if (isShortened(output) || Buffer.byteLength(JSON.stringify(output)) > PIN_LIMITS.bytes)
    throw new AppError('testRun.pin_too_large', { maxBytes: PIN_LIMITS.bytes })
  const [row] = await tx
    .insert(testPin)
    .values({ workflowId, userId: user.id, activityId, output, runId })
    .onConflictDoUpdate({
      target: [testPin.workflowId, testPin.userId, testPin.activityId],
      set: { output, runId, at: sql`now()` },
    })
    .returning()
  if (!row) throw new Error('the pin that was just made is not there')
  if ((await pinsOf(ctx, workflowId)).length > PIN_LIMITS.pins)
    throw new AppError('testRun.too_many_pins', { maximum: PIN_LIMITS.pins })
  return present(row)
}

/** Has a step performed again; gives the pins that are left. */
export async function unpin(
  ctx: CallContext,
  { workflowId, activityId }: { workflowId: string; activityId: string },
): Promise<Pin[]> {
  await ctx.tx
    .delete(testPin)
    .where(
      and(
        eq(testPin.workflowId, workflowId),
        eq(testPin.userId, ctx.user.id),
        eq(testPin.activityId, activityId),
      ),
    )
  return pinsOf(ctx, workflowId)
}

function present({ workflowId, activityId, output, runId, at }: typeof testPin.$inferSelect): Pin {
  return { workflowId, activityId, output, runId, at: at.toISOString() }
}
