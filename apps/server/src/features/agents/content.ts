import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../db/connection.ts'
import { AppError } from '../../kit/app-error.ts'
import { BINDING } from '../attended-runs/binding.ts'
import type { HeldRun } from './work.ts'

const document = z.record(z.string(), z.unknown())

/** A release, or what a test run runs, by its hash, if some unfinished run of this client is of it. */
export async function workflowByHash(
  tx: Tx,
  clientId: string,
  hash: string,
): Promise<Record<string, unknown>> {
  const result = await tx.execute(sql`
    select rel.document from workflow_release rel where rel.hash = ${hash} and exists (
      select 1 from run r where r.client_id = ${clientId} and r.finished_at is null
        and r.workflow_id = rel.workflow_id and r.release = rel.number)
    union all
    select t.document from test_run t join run r on r.id = t.run_id
      where t.hash = ${hash} and r.client_id = ${clientId} and r.finished_at is null
    limit 1`)
  const row = z.object({ document }).safeParse(result.rows[0])
  if (!row.success) throw new AppError('record.not_found')
  return row.data.document
}

/**
 * A workflow that a held run calls: one of the same owner, its newest release unless another is named. A test run may call
 * what the tested workflow's owner has, too: its author was allowed to see it when it started. A custom
 * activity is everybody's.
 */
export async function calledWorkflow(tx: Tx, run: HeldRun, workflowId: string, release: number | undefined) {
  const result = await tx.execute(sql`
    select rel.document, rel.number as release from workflow w
    join workflow_release rel on rel.workflow_id = w.id and rel.number = coalesce(${release ?? null}::int, w.published_release)
    where w.id = ${workflowId} and w.deleted_at is null
      and (w.kind = 'activity' or w.owner_id is not distinct from ${run.owner_id}::uuid or w.owner_id = (
        select of.owner_id from test_run t join workflow of on of.id = t.workflow_id where t.run_id = ${run.id}))`)
  const row = z.object({ document, release: z.number() }).safeParse(result.rows[0])
  if (!row.success) throw new AppError('record.not_found')
  return row.data
}

const file = z.object({ sha256: z.string(), size: z.coerce.number(), name: z.string() })

/** A stored file of the run's owner, for a step that uploads it to a page. */
export async function inputFile(tx: Tx, run: HeldRun, fileId: string): Promise<z.infer<typeof file>> {
  const result = await tx.execute(sql`
    select sha256, size, name from file where id = ${fileId} and owner_id is not distinct from ${run.owner_id}::uuid`)
  const row = file.safeParse(result.rows[0])
  if (!row.success) throw new AppError('record.not_found')
  return row.data
}

/** What the profile that a run binds keeps for the run's account. */
export async function snapshotOf(tx: Tx, runId: string): Promise<z.infer<typeof file>> {
  const result = await tx.execute(sql`
    select f.sha256, f.size, f.name from run r cross join lateral ${BINDING} b
    join profile_session s on s.profile_id = b.profile_id and s.account_id is not distinct from b.account_id
    join file f on f.id = s.file_id where r.id = ${runId}`)
  const row = file.safeParse(result.rows[0])
  if (!row.success) throw new AppError('record.not_found')
  return row.data
}
