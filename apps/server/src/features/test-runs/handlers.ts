import { and, eq, inArray } from 'drizzle-orm'
import type { testRuns } from '@weft/contract/test-runs/api'
import { AppError } from '../../kit/app-error.ts'
import type { Tx } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { findRecord } from '../../kit/record.ts'
import { mayOfRun } from '../runs/rules.ts'
import { run } from '../runs/table.ts'
import { writeDocument } from '../workflows/document.ts'
import { workflowSource } from '../workflows/record.ts'
import type { BeginTestRun } from './begin.ts'
import { lastValues } from './last-values.ts'
import { pinsOf, pinStep, unpin } from './pins.ts'
import { testRun } from './table.ts'
import { viewsOf } from './view.ts'
import { skipWait, waitsOf } from './waits.ts'

/** The runs of test runs, without conditions. */
const testedRuns = (tx: Tx) =>
  tx.select({ id: run.id }).from(testRun).innerJoin(run, eq(run.id, testRun.runId)).$dynamic()

/** The calls of test runs; reading their steps, logs and files, and stopping them, is what runs have for all. */
export function testRunHandlers(begin: BeginTestRun): Implementation<typeof testRuns> {
  return {
    start: (ctx, input) => begin(ctx, input),

    async list(ctx, { workflowId, result, ...input }) {
      await findRecord(ctx, workflowSource, workflowId)
      return listOf(ctx.tx, input, {
        rows: testedRuns,
        keys: testedRuns,
        table: run,
        id: run.id,
        where: [
          eq(testRun.workflowId, workflowId),
          mayOfRun(ctx, 'VIEW'),
          result?.length ? inArray(run.result, result) : undefined,
        ],
        sort: { queuedAt: run.queuedAt },
        defaultSort: { by: 'queuedAt', desc: true },
        present: (rows, tx) =>
          viewsOf(
            ctx,
            tx,
            rows.map(({ id }) => id),
          ),
      })
    },

    async document(ctx, { id }) {
      const [row] = await ctx.tx
        .select({ workflowId: testRun.workflowId, document: testRun.document })
        .from(testRun)
        .innerJoin(run, eq(run.id, testRun.runId))
        .where(and(eq(testRun.runId, id), mayOfRun(ctx, 'VIEW')))
      if (!row) throw new AppError('record.not_found')
      await findRecord(ctx, workflowSource, row.workflowId)
      return { document: writeDocument(row.document) }
    },

    waits: (ctx, { id }) => waitsOf(ctx, id),
    skipWait: (ctx, input) => skipWait(ctx, input),

    async lastValues(ctx, { workflowId }) {
      await findRecord(ctx, workflowSource, workflowId)
      return lastValues(ctx, workflowId)
    },

    async pins(ctx, { workflowId }) {
      await findRecord(ctx, workflowSource, workflowId)
      return pinsOf(ctx, workflowId)
    },

    async setPin(ctx, input) {
      await findRecord(ctx, workflowSource, input.workflowId, 'UPDATE')
      return pinStep(ctx, input)
    },

    async removePin(ctx, input) {
      await findRecord(ctx, workflowSource, input.workflowId, 'UPDATE')
      return unpin(ctx, input)
    },
  }
}
