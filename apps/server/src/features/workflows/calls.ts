import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm'
import { callsIn, type PlacedCall } from '@weft/workflow/calls'
import type { WorkflowDocument } from '@weft/workflow/document'
import type { FindWorkflow } from '@weft/workflow/validate'
import { isId } from '../../kit/id.ts'
import type { Reader } from '../../kit/resource/definition.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { workflow, workflowRelease } from './table.ts'

/** Enough for any sensible set of workflows that call each other; what lies beyond counts as unknown. */
const MAX_WORKFLOWS = 100

/**
 * Loads the releases that a document calls, the versions of custom activities that it holds, and those that they call, as far as the person may see them; without a
 * number, the newest one is meant.
 */
export async function loadCalled(ctx: Reader, document: WorkflowDocument): Promise<FindWorkflow> {
  const found = new Map<string, WorkflowDocument | undefined>()
  let calls = knownCalls(document)
  while (calls.length > 0 && found.size < MAX_WORKFLOWS) {
    const fresh = calls.filter((call) => !found.has(keyOf(call))).slice(0, MAX_WORKFLOWS - found.size)
    for (const call of fresh) found.set(keyOf(call), undefined)
    const loaded = await load(ctx, fresh)
    for (const [key, called] of loaded) found.set(key, called)
    calls = [...loaded.values()].flatMap(knownCalls)
    if (fresh.length === 0) break
  }
  return (workflowId, release) => found.get(keyOf({ id: workflowId, number: release }))
}

type Call = Pick<PlacedCall, 'id' | 'number'>

const keyOf = ({ id, number }: Call) => `${id} ${number ?? 'newest'}`

function knownCalls(document: WorkflowDocument): Call[] {
  return callsIn(document).filter(({ id }) => isId(id))
}

async function load(ctx: Reader, calls: readonly Call[]): Promise<Map<string, WorkflowDocument>> {
  if (calls.length === 0) return new Map()
  const rows = await ctx.tx
    .select({
      workflowId: workflowRelease.workflowId,
      number: workflowRelease.number,
      newest: workflow.publishedRelease,
      document: workflowRelease.document,
    })
    .from(workflowRelease)
    .innerJoin(workflow, eq(workflow.id, workflowRelease.workflowId))
    .where(
      and(
        isNull(workflow.deletedAt),
        isNull(workflowRelease.withdrawnAt),
        // A custom activity is everybody's to use.
        or(eq(workflow.kind, 'activity'), ctx.scope('VIEW', 'WORKFLOW', scopeColumns(workflow))),
        or(
          inArray(
            workflowRelease.workflowId,
            calls.map(({ id }) => id),
          ),
        ),
        or(
          eq(workflowRelease.number, workflow.publishedRelease),
          inArray(
            workflowRelease.number,
            calls.flatMap(({ number }) => (number === null ? [] : [number])),
          ),
        ),
      ),
    )
    .orderBy(desc(workflowRelease.number))
  const documents = new Map<string, WorkflowDocument>()
  for (const call of calls) {
    const row = rows.find((one) => one.workflowId === call.id && one.number === (call.number ?? one.newest))
    if (row) documents.set(keyOf(call), row.document)
  }
  return documents
}
