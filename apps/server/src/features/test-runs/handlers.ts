import { and, eq, inArray } from 'drizzle-orm'
import type { testRuns } from '@weft/contract/test-runs/api'
import type { Engine } from '../../engine/engine.ts'
import { AppError } from '../../kit/app-error.ts'
import type { Tx } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { RateLimit } from '../../kit/rate.ts'
import { findRecord } from '../../kit/record.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { mayOfRun } from '../runs/rules.ts'
import { run } from '../runs/table.ts'
import { readDocument, writeDocument } from '../workflows/document.ts'
import { workflowSource } from '../workflows/record.ts'
import { lastValues } from './last-values.ts'
import { pinsOf, pinStep, unpin } from './pins.ts'
import { startTestRun } from './start.ts'
import { testRun } from './table.ts'
import { viewsOf } from './view.ts'

/** Starts of one person: at once, and then per second. Each takes a browser on a client. */
const STARTS = { burst: 60, perSecond: 1 }

/** The runs of test runs, without conditions. */
const testedRuns = (tx: Tx) =>
  tx.select({ id: run.id }).from(testRun).innerJoin(run, eq(run.id, testRun.runId)).$dynamic()

/** What the calls of test runs are built from. */
export interface TestRunDeps {
  engine: Engine
  secrets: Secrets
  now: () => Date
}

/** The calls of test runs; reading their steps, logs and files, and stopping them, is what runs have for all. */
export function testRunHandlers({ engine, secrets, now }: TestRunDeps): Implementation<typeof testRuns> {
  const starts = new RateLimit(STARTS)

  return {
    async start(ctx, input) {
      starts.take(ctx.user.id, now().getTime())
      const { workflowId } = input
      const workflow = await findRecord(ctx, workflowSource, workflowId, 'UPDATE')
      await findRecord(ctx, workflowSource, workflowId, 'RUN')
      if (!(await engine.isOpen())) throw new AppError('system.maintenance')
      const document = input.document ? readDocument(input.document) : workflow.draft
      const deps = { secrets, params: engine.params }
      const offer = await startTestRun(ctx, deps, workflow, document, input)
      const [view] = await viewsOf(ctx, ctx.tx, [offer.runId])
      if (!view) throw new Error('the test run that was just begun is not there')
      const { scope, clientName, account, documentHash } = view
      ctx.audit({
        feature: 'workflows',
        recordId: workflowId,
        after: {
          runId: offer.runId,
          scope,
          client: clientName,
          account: account?.name ?? null,
          sha256: documentHash,
          allowIrreversible: input.allowIrreversible,
        },
      })
      ctx.event({ feature: 'runs', id: offer.runId, kind: 'created', ownerId: ctx.user.id })
      ctx.afterCommit(() => engine.deliver(offer.clientId, engine.offerCommand(offer)))
      return view
    },

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
