import { and, eq, inArray, isNull } from 'drizzle-orm'
import { callsIn } from '@weft/workflow/calls'
import type { WorkflowDocument } from '@weft/workflow/document'
import { AppError } from '../../kit/app-error.ts'
import type { Tx } from '../../kit/context.ts'
import { isId } from '../../kit/id.ts'
import { workflow, workflowRelease } from './table.ts'

/**
 * The release that a campaign gets when it is started now: the one that it is pinned to, or else the newest that is offered;
 * null where there is none. The workflow is held until the end of the transaction, as a withdrawal holds it, so neither
 * misses the other.
 */
export async function releaseToStart(
  tx: Tx,
  workflowId: string | null,
  pinned: number | null,
): Promise<number | null> {
  if (workflowId === null) return null
  const [found] = await tx
    .select({ newest: workflow.publishedRelease })
    .from(workflow)
    .where(and(eq(workflow.id, workflowId), isNull(workflow.deletedAt)))
    .for('share')
  if (!found) return null
  if (pinned === null) return found.newest
  const [release] = await tx
    .select({ withdrawnAt: workflowRelease.withdrawnAt })
    .from(workflowRelease)
    .where(and(eq(workflowRelease.workflowId, workflowId), eq(workflowRelease.number, pinned)))
  if (release?.withdrawnAt) throw new AppError('campaign.release_withdrawn', { number: pinned })
  return release ? pinned : null
}

/**
 * Holds what a document calls until the end of the transaction, as a withdrawal holds it: a release that is read after this is
 * still offered when the one that calls it is there.
 */
export async function holdCalled(tx: Tx, ...documents: readonly WorkflowDocument[]): Promise<string[]> {
  const ids = [...new Set(documents.flatMap(callsIn).map(({ id }) => id))].filter(isId)
  if (ids.length === 0) return ids
  // In one order, so that those who publish and withdraw at once rarely wait for each other.
  await tx
    .select({ id: workflow.id })
    .from(workflow)
    .where(inArray(workflow.id, ids))
    .orderBy(workflow.id)
    .for('share')
  return ids
}

/** A workflow that is to be made, with the releases that it is to have. */
interface Coming {
  id: string
  releases: readonly { number: number; document: WorkflowDocument }[]
}

/**
 * The documents of these releases that call nothing that is not offered: no release that was withdrawn or, without a number,
 * workflow of which all were, and of those that come along none that is not offered itself. What they call is held until the
 * end of the transaction.
 */
export async function offeredTogether(
  tx: Tx,
  coming: readonly Coming[],
): Promise<ReadonlySet<WorkflowDocument>> {
  const documents = coming.flatMap(({ releases }) => releases.map(({ document }) => document))
  const withdrawn = await callingWithdrawn(tx, documents)
  const offered = new Set(documents.filter((document) => !withdrawn.has(document)))
  const byId = new Map(coming.map(({ id, releases }) => [id, releases]))
  const isMissing = ({ id, number }: { id: string; number: number | null }) =>
    byId.get(id)?.every((one) => (number !== null && one.number !== number) || !offered.has(one.document)) ??
    false
  // What is left out may be what another calls.
  for (let before = -1; before !== offered.size;) {
    before = offered.size
    for (const document of offered) if (callsIn(document).some(isMissing)) offered.delete(document)
  }
  return offered
}

/**
 * Which of these documents call what is not offered any more: a release that was withdrawn, or, without a number, a workflow
 * of which all were. What they call is held until the end of the transaction.
 */
async function callingWithdrawn(
  tx: Tx,
  documents: readonly WorkflowDocument[],
): Promise<ReadonlySet<WorkflowDocument>> {
  const ids = await holdCalled(tx, ...documents)
  if (ids.length === 0) return new Set()
  const releases = await tx
    .select({
      id: workflowRelease.workflowId,
      number: workflowRelease.number,
      withdrawnAt: workflowRelease.withdrawnAt,
    })
    .from(workflowRelease)
    .where(inArray(workflowRelease.workflowId, ids))
  const isWithdrawn = ({ id, number }: { id: string; number: number | null }) => {
    const meant = releases.filter((one) => one.id === id && (number === null || one.number === number))
    return meant.length > 0 && meant.every(({ withdrawnAt }) => withdrawnAt !== null)
  }
  return new Set(documents.filter((document) => callsIn(document).some(isWithdrawn)))
}
