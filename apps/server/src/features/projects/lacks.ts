import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Lack } from '@weft/contract/projects/transfer'
import { callsIn } from '@weft/workflow/calls'
import type { WorkflowDocument } from '@weft/workflow/document'
import { projectNamesIn } from '@weft/workflow/project-names'
import type { CallContext } from '../../kit/context.ts'
import { isId } from '../../kit/id.ts'
import { anyOf } from '../../kit/recordset.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { workflow } from '../workflows/table.ts'

/** A workflow with the documents that will run: its draft, perhaps its newest release. */
export interface Needing {
  id: string
  name: string
  documents: readonly WorkflowDocument[]
}

/** What workflows need that these names do not give them, and what they call that is not among `known`. */
export function lacksOf(
  workflows: readonly Needing[],
  has: { variables: readonly string[]; secrets: readonly string[] },
  known: ReadonlySet<string>,
): Lack[] {
  return workflows.flatMap(({ id, name: workflowName, documents }) => {
    const found = new Map<string, Lack>()
    const add = (kind: Lack['kind'], name: string) =>
      found.set(`${kind} ${name}`, { workflowId: id, workflowName, kind, name })
    for (const document of documents) {
      const { variables, secrets } = projectNamesIn(document)
      for (const name of variables) if (!has.variables.includes(name)) add('variable', name)
      for (const name of secrets) if (!has.secrets.includes(name)) add('secret', name)
      for (const call of callsIn(document)) if (!known.has(call.id)) add(call.kind, call.id)
    }
    return [...found.values()]
  })
}

/** Of what documents call, what is there: workflows that the caller sees, and custom activities. */
export async function calledAmong(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
  documents: readonly WorkflowDocument[],
): Promise<Set<string>> {
  const ids = documents.flatMap(callsIn).flatMap(({ id }) => (isId(id) ? [id] : []))
  const { rows } = await ctx.tx.execute(sql`
    select ${workflow.id} as id from ${workflow} where ${workflow.id} = ${anyOf(ids)} and ${workflow.deletedAt} is null
      and (${workflow.kind} = 'activity' or ${ctx.scope('VIEW', 'WORKFLOW', scopeColumns(workflow))})`)
  return new Set(rows.map((raw) => z.object({ id: z.string() }).parse(raw).id))
}
