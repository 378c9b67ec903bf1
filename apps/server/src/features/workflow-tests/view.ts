import { asc, eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { RUN_CYCLES, RUN_RESULTS, type RunCycle, type RunResult } from '@weft/contract/runs/schema'
import {
  expectationSchema,
  type Check,
  type TestVerdict,
  type WorkflowTest,
} from '@weft/contract/workflow-tests/schema'
import type { Tx } from '../../kit/context.ts'
import { anyOf } from '../../kit/recordset.ts'
import { workflowTest } from './table.ts'

const lastRow = z.object({
  test_id: z.string(),
  run_id: z.string(),
  at: z.union([z.date(), z.string()]).transform((value) => new Date(value).toISOString()),
  by: z.string().nullable(),
  hash: z.string(),
  cycle: z.enum(RUN_CYCLES),
  result: z.enum(RUN_RESULTS).nullable(),
  expected_result: z.enum(['succeeded', 'failed']),
  expectations: z.array(expectationSchema),
  checks: z.array(z.object({ holds: z.boolean(), message: z.string().nullable() })).nullable(),
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
    select distinct on (t.test_id) t.test_id, t.run_id, t.at, u.display_name as by, t.hash, r.cycle, r.result,
      t.expected_result, t.expectations, t.checks
    from test_run t join run r on r.id = t.run_id left join app_user u on u.id = t.started_by
    where t.test_id = ${anyOf(ids)} order by t.test_id, t.at desc`)
  return new Map(
    rows.map((raw) => {
      const row = lastRow.parse(raw)
      const checks = row.expectations.map(({ label, expression }, index): Check => {
        const told = row.checks?.[index]
        return { label, expression, holds: told?.holds ?? null, message: told?.message ?? null }
      })
      const { cycle, result, expected_result: expected } = row
      const last = {
        runId: row.run_id,
        at: row.at,
        byName: row.by ?? '',
        documentHash: row.hash,
        verdict: verdictOf({ cycle, result, expected, checks }),
        result,
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
