import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Action } from '@weft/contract/core/permissions'
import type { TestWait } from '@weft/contract/test-runs/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { runHold } from '../runs/hold-table.ts'
import { mayOfRun } from '../runs/rules.ts'
import { run } from '../runs/table.ts'
import { testRun } from './table.ts'

/** What a test run waits for now, the longest asked first; a run that is over waits for nothing. */
export async function waitsOf(ctx: CallContext, runId: string): Promise<TestWait[]> {
  await findTestRun(ctx, runId, 'VIEW')
  const { id, kind, stepId, stepName, dueAt } = runHold
  const rows = await ctx.tx
    .select({ id, kind, stepId, stepName, dueAt })
    .from(runHold)
    .innerJoin(run, eq(run.id, runHold.runId))
    .where(and(eq(runHold.runId, runId), isNull(runHold.ending), isNull(run.finishedAt)))
    .orderBy(asc(runHold.seq))
  return rows.map((row) => ({ ...row, dueAt: row.dueAt.toISOString() }))
}

/** Ends a wait for a time now; the agent asks for it each second and goes on. What asks for an answer is answered instead. */
export async function skipWait(
  ctx: CallContext,
  { id: runId, waitId }: { id: string; waitId: string },
): Promise<TestWait[]> {
  await findTestRun(ctx, runId, 'RUN')
  const ended = await ctx.tx
    .update(runHold)
    .set({ ending: 'due', endedAt: sql`now()` })
    .where(
      and(
        eq(runHold.id, waitId),
        eq(runHold.runId, runId),
        eq(runHold.kind, 'time'),
        eq(runHold.inPlace, true),
        isNull(runHold.ending),
        sql`exists (select 1 from run going where going.id = ${runId} and going.finished_at is null)`,
      ),
    )
    .returning({ stepId: runHold.stepId })
  const [wait] = ended
  if (!wait) throw new AppError('record.not_found')
  ctx.audit({ feature: 'runs', recordId: runId, after: { skipped: wait.stepId } })
  return waitsOf(ctx, runId)
}

async function findTestRun(ctx: CallContext, id: string, action: Action): Promise<void> {
  const [found] = await ctx.tx
    .select({ id: run.id })
    .from(testRun)
    .innerJoin(run, eq(run.id, testRun.runId))
    .where(and(eq(testRun.runId, id), mayOfRun(ctx, action)))
  if (!found) throw new AppError('record.not_found')
}
