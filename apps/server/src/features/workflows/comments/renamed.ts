import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { canonicalJson } from '@weft/contract/core/canonical'
import type { Activity, WorkflowDocument } from '@weft/workflow/document'
import type { Tx } from '../../../kit/context.ts'
import { workflowComment } from './table.ts'

/** Steps that have another id now and are otherwise what they were: from the old id to the new one. */
export function renamedSteps(before: WorkflowDocument, after: WorkflowDocument): Map<string, string> {
  const gone = missingIn(before.activities, after.activities)
  const come = missingIn(after.activities, before.activities)
  const renamed = new Map<string, string>()
  for (const step of gone) {
    const alike = come.filter((one) => sameBut(one, step))
    const [only] = alike
    // Where two could be meant, none is.
    if (only && alike.length === 1 && gone.filter((one) => sameBut(one, step)).length === 1)
      renamed.set(step.id, only.id)
  }
  return renamed
}

/** What was said about a step stays with it when its id changes. */
export async function followRenamed(
  tx: Tx,
  workflowId: string,
  before: WorkflowDocument,
  after: WorkflowDocument,
): Promise<void> {
  const renamed = renamedSteps(before, after)
  if (renamed.size === 0) return
  const cases = [...renamed].map(([from, to]) => sql`when ${from} then ${to}`)
  await tx
    .update(workflowComment)
    .set({ stepId: sql`case ${workflowComment.stepId} ${sql.join(cases, sql` `)} end` })
    .where(
      and(
        eq(workflowComment.workflowId, workflowId),
        isNull(workflowComment.threadId),
        inArray(workflowComment.stepId, [...renamed.keys()]),
      ),
    )
}

function missingIn(some: readonly Activity[], others: readonly Activity[]): Activity[] {
  const ids = new Set(others.map(({ id }) => id))
  return some.filter(({ id }) => !ids.has(id))
}

const contentOf = ({ id: _id, ...content }: Activity) => canonicalJson(content)
const sameBut = (one: Activity, other: Activity) => contentOf(one) === contentOf(other)
