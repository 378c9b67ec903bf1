import { and, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { runEventSchema, type finishInput } from '@weft/contract/agents/reports'
import type { Tx } from '../../db/connection.ts'
import type { JsonObject } from '@weft/workflow/json'
import { jsonObjectSchema } from '@weft/workflow/document'
import { recordset } from '../../kit/recordset.ts'
import { testRun, type Values } from './table.ts'

type Finish = z.output<typeof finishInput>['runs'][number]

/** Keeps what test runs left, as their agents told it with the end. */
export async function keepValues(tx: Tx, finishes: readonly Finish[]): Promise<void> {
  const rows = finishes.flatMap(({ runId, values }) => (values ? [{ id: runId, ...values }] : []))
  if (rows.length === 0) return
  await tx.execute(sql`
    update test_run t set vars = v.vars, steps = v.steps, pages = coalesce(t.base -> 'pages', '{}') || v.pages, checks = v.checks
    from ${recordset({ id: 'uuid', vars: 'jsonb', steps: 'jsonb', pages: 'jsonb', checks: 'jsonb' }, rows)} where t.run_id = v.id`)
}

/** The newest test run of a person in a workflow. */
export async function newestOf(tx: Tx, workflowId: string, userId: string) {
  const [row] = await tx
    .select()
    .from(testRun)
    .where(and(eq(testRun.workflowId, workflowId), eq(testRun.startedBy, userId)))
    .orderBy(desc(testRun.at))
    .limit(1)
  return row
}

type Known = Pick<typeof testRun.$inferSelect, 'runId' | 'base' | 'pins' | 'vars' | 'steps' | 'pages'>

/**
 * What a test run left. Of one that is under way, or whose agent was lost, what it began with and the outputs that its
 * events tell.
 */
export async function valuesOf(tx: Tx, row: Known): Promise<Values> {
  const pages = row.pages ?? row.base?.pages ?? {}
  if (row.vars && row.steps) return { vars: row.vars, steps: row.steps, pages }
  return {
    vars: row.base?.vars ?? {},
    steps: { ...row.base?.steps, ...row.pins, ...(await outputsTold(tx, row.runId)) },
    pages,
  }
}

const batch = z.object({ events: z.array(runEventSchema) })

/** The last output of each step that events tell of. */
export async function outputsTold(tx: Tx, runId: string): Promise<Record<string, JsonObject>> {
  const { rows } = await tx.execute(
    sql`select events from run_event where run_id = ${runId} order by first_seq limit 2000`,
  )
  const outputs: Record<string, JsonObject> = {}
  for (const event of rows.flatMap((raw) => batch.parse(raw).events)) {
    // What a called workflow does is not this document's.
    if (event.type !== 'stepFinished' || event.path.includes('>')) continue
    const output = jsonObjectSchema.safeParse(event.output)
    if (output.success) outputs[event.stepId] = output.data
  }
  return outputs
}

/** Whether a kept value is only the beginning of what was too large. */
export function isShortened(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'shortened' in value &&
    value.shortened === true &&
    'beginning' in value
  )
}
