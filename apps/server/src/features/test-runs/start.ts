import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { testRuns } from '@weft/contract/test-runs/api'
import type { ParsedInputOf } from '@weft/contract/core/endpoint'
import { TEST_RUNS_KEPT } from '@weft/contract/test-runs/schema'
import type { AgentParams } from '@weft/contract/agents/sessions'
import { callOf } from '@weft/workflow/calls'
import type { Activity, WorkflowDocument } from '@weft/workflow/document'
import { stepsOfPart } from '@weft/workflow/interpret/part'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import { isId } from '../../kit/id.ts'
import { newId } from '../../kit/record.ts'
import { recordset } from '../../kit/recordset.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { switchedOff } from '../activities/switched-off.ts'
import { chooseClient } from '../attended-runs/choose-client.ts'
import type { Offer } from '../campaigns/dispatch/assign.ts'
import { knownNames } from '../projects/names.ts'
import { takeLeases } from '../runs/take-leases.ts'
import { loadCalled } from '../workflows/calls.ts'
import { hashOf, problemsOf } from '../workflows/document.ts'
import type { WorkflowRecord } from '../workflows/table.ts'
import type { WorkflowTestRow } from '../workflow-tests/table.ts'
import { checkScope, hindering, irreversibleSteps } from './check.ts'
import { checkTestInputs, keptInputs } from './inputs.ts'
import { chooseResources, leasesOf } from './resources.ts'
import { testPin, testRun, type Values } from './table.ts'
import { newestOf, valuesOf } from './values.ts'

/** What `start` is asked for. */
export type StartInput = ParsedInputOf<typeof testRuns.start>

/** The workflow test that a test run is of. */
export type TestedCase = Pick<WorkflowTestRow, 'id' | 'revision' | 'expectedResult' | 'expectations'>

/** What a start is made of. */
export interface StartDeps {
  secrets: Secrets
  params: AgentParams
}

/**
 * Begins a test run: everything that can be wrong is found before, then client, resources and document are fixed in one
 * transaction. Gives the offer to tell.
 */
export async function startTestRun(
  ctx: CallContext,
  { secrets, params }: StartDeps,
  workflow: WorkflowRecord,
  document: WorkflowDocument,
  input: StartInput,
  of?: TestedCase,
): Promise<Offer> {
  const { scope, inputs } = input
  await checkIsFree(ctx, workflow.id)
  checkScope(document, scope)
  // A test is everybody's; what one person has pinned is theirs.
  const pins = of ? {} : await pinsFor(ctx, workflow.id, document, input)
  const pinned = new Set(Object.keys(pins))
  const findWorkflow = await loadCalled(ctx, document)
  const problems = problemsOf(document, {
    findWorkflow,
    workflowId: workflow.id,
    project: await knownNames(ctx.tx, workflow.projectId),
    switchedOff: await switchedOff(ctx.tx),
  })
  const errors = hindering(document, scope, pinned, problems)
  if (errors.length > 0)
    throw new AppError(
      'testRun.invalid',
      {},
      {
        errors: errors.map(({ path, code, params: details }) => ({
          path,
          code,
          message: code,
          params: details,
        })),
      },
    )
  const dangerous = irreversibleSteps(document, scope, pinned, findWorkflow)
  if (dangerous.length > 0 && !input.allowIrreversible)
    throw new AppError(
      'testRun.irreversible',
      {
        steps: dangerous
          .map((id) => nameOf(document, id))
          .join(', ')
          .slice(0, 500),
      },
      { errors: dangerous.map((id) => ({ path: id, code: 'irreversible', message: nameOf(document, id) })) },
    )
  await refuseSwitchedOff(ctx.tx, stepsOfPart(document, scope, pinned))
  checkTestInputs(document, inputs, { oneStep: scope.kind === 'step' })
  const chosen = await chooseResources(ctx, input.resources)
  const base = scope.kind === 'whole' ? null : await baseOf(ctx, workflow.id, pins)
  const clientId = await chooseClient(
    ctx,
    {
      clientId: input.clientId ?? undefined,
      homeId: chosen.profile?.homeClientId ?? null,
      browserType: null,
    },
    params,
  )
  await clearOld(ctx.tx, workflow.id, ctx.user.id)
  const runId = newId()
  const accountId = chosen.account?.id ?? null
  await ctx.tx.execute(sql`
    insert into run (id, owner_id, workflow_id, attempt, fence, client_id, account_id, held_until)
    values (${runId}, ${ctx.user.id}, ${workflow.id}, 1, 1, ${clientId}, ${accountId}::uuid,
      now() + make_interval(secs => ${params.offerSeconds}))`)
  const { plain, sealed } = keptInputs(secrets, runId, document, inputs)
  await ctx.tx.insert(testRun).values({
    runId,
    workflowId: workflow.id,
    startedBy: ctx.user.id,
    document,
    hash: hashOf(document),
    scope,
    accountId,
    profileId: chosen.profile?.id ?? null,
    proxyId: chosen.proxy?.id ?? null,
    phoneId: chosen.phone?.id ?? null,
    videoId: chosen.video?.id ?? null,
    inputs: plain,
    secretInputs: sealed,
    pins,
    base,
    ...(of
      ? {
          testId: of.id,
          testRevision: of.revision,
          expectedResult: of.expectedResult,
          expectations: of.expectations,
        }
      : {}),
  })
  await takeLeases(ctx.tx, runId, leasesOf(chosen))
  return { runId, clientId, attempt: 1, fence: 1 }
}

const nameOf = ({ activities }: WorkflowDocument, id: string) =>
  activities.find((activity) => activity.id === id)?.name ?? id

/** One at a time for each person and workflow: two starts at once are told apart by a lock. */
async function checkIsFree({ tx, user }: CallContext, workflowId: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`test run ${workflowId} ${user.id}`}, 0))`,
  )
  const { rows } = await tx.execute(sql`
    select r.id from test_run t join run r on r.id = t.run_id
    where t.workflow_id = ${workflowId} and t.started_by = ${user.id} and r.finished_at is null limit 1`)
  const row = z.object({ id: z.string() }).safeParse(rows[0])
  if (row.success) throw new AppError('testRun.busy', { runId: row.data.id })
}

/** The pins that stand in: those of steps that are still there. Whoever tries one step out wants it performed. */
async function pinsFor(
  { tx, user }: CallContext,
  workflowId: string,
  document: WorkflowDocument,
  { scope }: StartInput,
): Promise<Record<string, Values['steps'][string]>> {
  const rows = await tx
    .select({ id: testPin.activityId, output: testPin.output })
    .from(testPin)
    .where(and(eq(testPin.workflowId, workflowId), eq(testPin.userId, user.id)))
  const there = new Set(document.activities.map(({ id }) => id))
  const alone = scope.kind === 'step' ? scope.activityId : undefined
  return Object.fromEntries(
    rows.flatMap(({ id, output }) => (there.has(id) && id !== alone ? [[id, output]] : [])),
  )
}

const heldBack = z.object({ activity: z.string() })

/** Refuses a part that calls what comes to an activity that is switched off; its own steps are validated. */
async function refuseSwitchedOff(tx: Tx, steps: readonly Activity[]): Promise<void> {
  const calls = steps.flatMap((step) => {
    const call = callOf(step)
    return call && isId(call.id) ? [{ id: call.id, number: call.number }] : []
  })
  if (calls.length === 0) return
  const { rows } = await tx.execute(sql`
    select held.activity from ${recordset({ id: 'uuid', number: 'int' }, calls)}
    join workflow w on w.id = v.id
    cross join lateral held_back_by(w.id, coalesce(v.number, w.published_release)) as held (activity)
    where held.activity is not null limit 1`)
  const found = heldBack.safeParse(rows[0])
  if (found.success) throw new AppError('activity.disabled', found.data)
}

/** What a part begins with: what the person's last test run left, and what is pinned. */
async function baseOf({ tx, user }: CallContext, workflowId: string, pins: Values['steps']): Promise<Values> {
  const newest = await newestOf(tx, workflowId, user.id)
  const { vars, steps, pages } = newest ? await valuesOf(tx, newest) : { vars: {}, steps: {}, pages: {} }
  return { vars, steps: { ...steps, ...pins }, pages }
}

/** Removes the oldest test runs of a person in a workflow; what they stored goes with them. */
async function clearOld(tx: Tx, workflowId: string, userId: string): Promise<void> {
  await tx.execute(sql`
    delete from test_run where run_id in (
      select t.run_id from test_run t join run r on r.id = t.run_id
      where t.workflow_id = ${workflowId} and t.started_by = ${userId} and r.finished_at is not null
        and (t.test_id is null or exists (select 1 from test_run newer where newer.test_id = t.test_id and newer.at > t.at))
      order by t.at desc offset ${TEST_RUNS_KEPT - 1})`)
}
