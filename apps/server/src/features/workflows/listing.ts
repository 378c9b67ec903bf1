import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { listingSchema } from '@weft/contract/workflows/schema'
import { callsIn } from '@weft/workflow/calls'
import { capabilitiesOf, mergeCapabilities, type Capabilities } from '@weft/workflow/capabilities'
import type { WorkflowDocument } from '@weft/workflow/document'
import type { FindWorkflow } from '@weft/workflow/validate'
import type { CallContext } from '../../kit/context.ts'
import { findRecord } from '../../kit/record.ts'
import { heldBackBy, switchedOff } from '../activities/switched-off.ts'
import { loadCalled } from './calls.ts'
import { problemsOf } from './document.ts'
import { workflowSource } from './record.ts'
import { workflow, workflowRelease } from './table.ts'

type Listing = z.input<typeof listingSchema>
type Gap = Listing['missing'][number]

/** What the column holds where nobody chose an icon. */
const NO_ICON = 'route'

/** What is still missing before a workflow can be offered; the market itself is not open yet. */
export async function listingOf(ctx: CallContext, id: string): Promise<Listing> {
  const row = await findRecord(ctx, workflowSource, id, 'PUBLISH')
  const missing: Gap[] = []
  const lacks = (code: Gap['code'], params: Gap['params'] = {}) => missing.push({ code, params })
  const release = row.publishedRelease
  const document = release === null ? undefined : await releasedDocument(ctx, id, release)
  if (row.description.trim() === '') lacks('no_description')
  if (row.icon === '' || row.icon === NO_ICON) lacks('no_icon')
  let sheet: Listing['sheet'] = null
  if (release === null || !document) lacks('no_release')
  else {
    if (row.draftHash !== row.publishedHash) lacks('unpublished_changes', { release })
    const findWorkflow = await loadCalled(ctx, document)
    const known = { findWorkflow, workflowId: id, switchedOff: await switchedOff(ctx.tx) }
    const problems = problemsOf(document, known).filter(({ severity }) => severity === 'error')
    if (problems.length > 0) lacks('problems', { count: problems.length })
    const activity = await heldBackBy(ctx.tx, id, release)
    if (activity !== null) lacks('activity_switched_off', { activity })
    const whole = wholeOf(document, findWorkflow)
    // A buyer has neither the project's secrets nor what else its author made.
    if (whole.secrets.length > 0) lacks('secrets', { names: whole.secrets.join(', ') })
    if (whole.calls.length > 0) lacks('calls_others', { count: whole.calls.length })
    const { domains, openDomains, activityTypes: activities, resources, sideEffect } = whole
    sheet = { domains, openDomains, activities, resources, sideEffect }
  }
  const ready = missing.length === 0
  // Said last, so that what the author can mend stands first.
  lacks('market_closed')
  return { ready, release, missing, sheet }
}

async function releasedDocument(
  ctx: CallContext,
  id: string,
  number: number,
): Promise<WorkflowDocument | undefined> {
  const [row] = await ctx.tx
    .select({ document: workflowRelease.document })
    .from(workflowRelease)
    .innerJoin(workflow, eq(workflow.id, workflowRelease.workflowId))
    .where(and(eq(workflowRelease.workflowId, id), eq(workflowRelease.number, number)))
  return row?.document
}

/** What a document does together with all that it calls. */
function wholeOf(document: WorkflowDocument, find: FindWorkflow): Capabilities {
  const seen = new Set<WorkflowDocument>()
  const visit = (one: WorkflowDocument): Capabilities[] => {
    if (seen.has(one)) return []
    seen.add(one)
    const called = callsIn(one).flatMap(({ id, number }) => find(id, number) ?? [])
    return [capabilitiesOf(one), ...called.flatMap(visit)]
  }
  return mergeCapabilities(visit(document))
}
