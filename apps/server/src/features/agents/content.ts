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
 * What a held run calls directly or through what it calls. Whoever published a release, or started a test run, was allowed to
 * see what its steps call; so whoever may run it may run that, whosever it is.
 */
const reached = (runId: string) => sql`
  with recursive reached (id, release) as (
    select s.called, coalesce(s.called_release, w.published_release) from run r
    cross join lateral (
      select called, called_release from release_step where workflow_id = r.workflow_id and release = r.release
      union all
      select o.called, o.called_release from test_run t cross join lateral steps_of(t.document) o where t.run_id = r.id
    ) s
    join workflow w on w.id = s.called
    where r.id = ${runId}
    union
    select s.called, coalesce(s.called_release, w.published_release) from reached c
    join release_step s on s.workflow_id = c.id and s.release = c.release and s.called is not null
    join workflow w on w.id = s.called
  )`

/**
 * A workflow that a held run calls: one that its document names, its newest release unless another is named, or one of the
 * same owner. A custom activity is everybody's.
 */
export async function calledWorkflow(tx: Tx, run: HeldRun, workflowId: string, release: number | undefined) {
  const result = await tx.execute(sql`
    ${reached(run.id)}
    select rel.document, rel.number as release from workflow w
    join workflow_release rel on rel.workflow_id = w.id and rel.number = coalesce(${release ?? null}::int, w.published_release)
    where w.id = ${workflowId} and w.deleted_at is null
      and (w.kind = 'activity' or w.owner_id is not distinct from ${run.owner_id}::uuid
        or exists (select 1 from reached c where c.id = w.id and c.release = rel.number))`)
  const row = z.object({ document, release: z.number() }).safeParse(result.rows[0])
  if (!row.success) throw new AppError('record.not_found')
  return row.data
}

const file = z.object({ sha256: z.string(), size: z.coerce.number(), name: z.string() })

/**
 * A stored file for a page: of the run's owner, or of whoever has its browser in hand. Those of profiles hold sessions, and go
 * no such way.
 */
export async function inputFile(tx: Tx, run: HeldRun, fileId: string): Promise<z.infer<typeof file>> {
  const result = await tx.execute(sql`
    select sha256, size, name from file where id = ${fileId} and purpose <> 'snapshot'
      and (owner_id is not distinct from ${run.owner_id}::uuid
        or owner_id = (select t.holder_id from attended_run t where t.run_id = ${run.id}))`)
  const row = file.safeParse(result.rows[0])
  if (!row.success) throw new AppError('record.not_found')
  return row.data
}

/** What the profile that a run binds keeps for the run's account; of a run without one, what the hold before it kept. */
export async function snapshotOf(tx: Tx, runId: string): Promise<z.infer<typeof file>> {
  const result = await tx.execute(sql`
    select f.sha256, f.size, f.name from run r cross join lateral ${BINDING} b
    join profile_session s on s.profile_id = b.profile_id and s.account_id is not distinct from b.account_id
    join file f on f.id = s.file_id where r.id = ${runId}
    union all
    select f.sha256, f.size, f.name from run r join run_hold h on h.id = r.hold_id join file f on f.id = h.file_id
    where r.id = ${runId}
    limit 1`)
  const row = file.safeParse(result.rows[0])
  if (!row.success) throw new AppError('record.not_found')
  return row.data
}
