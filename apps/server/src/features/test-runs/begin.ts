import type { TestRun } from '@weft/contract/test-runs/schema'
import type { Engine } from '../../engine/engine.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { RateLimit } from '../../kit/rate.ts'
import { findRecord } from '../../kit/record.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { readDocument } from '../workflows/document.ts'
import { workflowSource } from '../workflows/record.ts'
import { startTestRun, type StartInput, type TestedCase } from './start.ts'
import { viewsOf } from './view.ts'

/** Starts of one person: at once, and then per second. Each takes a browser on a client. */
const STARTS = { burst: 60, perSecond: 1 }

/** What beginning a test run needs of the process. */
export interface BeginDeps {
  engine: Engine
  secrets: Secrets
  now: () => Date
}

/** Begins a test run for whoever calls, by itself or as that of a workflow test. */
export type BeginTestRun = (ctx: CallContext, input: StartInput, of?: TestedCase) => Promise<TestRun>

/** The one way in which test runs begin: who may, how often, and who is told. */
export function testRunBeginner({ engine, secrets, now }: BeginDeps): BeginTestRun {
  const starts = new RateLimit(STARTS)
  return async (ctx, input, of) => {
    starts.take(ctx.user.id, now().getTime())
    const { workflowId } = input
    const workflow = await findRecord(ctx, workflowSource, workflowId, 'UPDATE')
    await findRecord(ctx, workflowSource, workflowId, 'RUN')
    if (!(await engine.isOpen())) throw new AppError('system.maintenance')
    const document = input.document ? readDocument(input.document) : workflow.draft
    const offer = await startTestRun(ctx, { secrets, params: engine.params }, workflow, document, input, of)
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
  }
}
