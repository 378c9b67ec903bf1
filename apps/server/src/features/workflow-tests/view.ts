import { asc, eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import {
  RUN_CYCLES,
  RUN_RESULTS,
  runErrorSchema,
  type RunCycle,
  type RunResult,
} from '@weft/contract/runs/schema'
import { expectationSchema, type Check, type WorkflowTest } from '@weft/contract/workflow-tests/schema'
import type { TestVerdict } from '@weft/contract/workflow-tests/standing'
import type { Tx } from '../../kit/context.ts'
import { moment } from '../../kit/moment.ts'
import { anyOf } from '../../kit/recordset.ts'
import { workflowTest } from './table.ts'

const lastRow = z.object({
  test_id: z.string(),
  run_id: z.string(),
  at: moment,
  by: z.string().nullable(),
  hash: z.string(),
  revision: z.number().nullable(),
  error: runErrorSchema.nullable(),
  cycle: z.enum(RUN_CYCLES),
  result: z.enum(RUN_RESULTS).nullable(),
  expected_result: z.enum(['succeeded', 'failed']),
  expectations: z.array(expectationSchema),
  checks: z
    .array(
      z.object({
        holds: z.boolean(),
        message: z.string().nullable(),
        found: z.string().nullable().default(null),
        wanted: z.string().nullable().default(null),
      }),
    )
    .nullable(),
})

/** The tests of a workflow by name, or one of them, each with how it came out last. */
export async function testsWhere(tx: Tx, where: SQL): Promise<WorkflowTest[]> {
  const rows = await tx.select().from(workflowTest).where(where).orderBy(asc(workflowTest.name))
  const last = await lastOf(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.map(({ updatedAt, createdBy: _createdBy, ...row }) => ({
    ...row,
    updatedAt: updatedAt.toISOString(),
    last: last.get(row.id) ?? null,
  }))
}

/** The condition for all tests of a workflow. */
export const ofWorkflow = (workflowId: string): SQL => eq(workflowTest.workflowId, workflowId)

async function lastOf(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, NonNullable<WorkflowTest['last']>>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.execute(sql`
    select distinct on (t.test_id) t.test_id, t.run_id, t.at, u.display_name as by, t.hash,
      t.test_revision as revision, r.cycle, r.result, r.error, t.expected_result, t.expectations, t.checks
    from test_run t join run r on r.id = t.run_id left join app_user u on u.id = t.started_by
    where t.test_id = ${anyOf(ids)} order by t.test_id, t.at desc`)
  return new Map(
    rows.map((raw) => {
      const row = lastRow.parse(raw)
      const checks = row.expectations.map(({ label, expression }, index): Check => {
        const unknown = { holds: null, message: null, found: null, wanted: null }
        return { label, expression, ...(row.checks?.[index] ?? unknown) }
      })
      const { cycle, result, expected_result: expected } = row
      const last = {
        runId: row.run_id,
        at: row.at,
        byName: row.by ?? '',
        documentHash: row.hash,
        revision: row.revision,
        verdict: verdictOf({ cycle, result, expected, checks }),
        result,
        error: row.error,
        checks,
      }
      return [row.test_id, last]
    }),
  )
}

/** How a test came out: its run ended as expected, and everything held. Pure. */
export function verdictOf({
  cycle,
  result,
  expected,
  checks,
}: {
  cycle: RunCycle
  result: RunResult | null
  expected: 'succeeded' | 'failed'
  checks: readonly Pick<Check, 'holds'>[]
}): TestVerdict {
  if (cycle !== 'finished') return 'running'
  if (result !== 'succeeded' && result !== 'failed' && result !== 'timed_out') return 'undecided'
  return result === expected && checks.every(({ holds }) => holds === true) ? 'passed' : 'failed'
}
