import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/connection.ts'

/** Notes that what a person signed in to was saved: only now does the account count as signed in, and leaves the queue. */
export async function noteSaved(tx: Tx, runId: string): Promise<void> {
  await tx.execute(sql`
    with saved as (update attended_run set saved_at = now() where run_id = ${runId} returning account_id)
    update account a set last_used_at = now(), last_error = null, person_reason = null, person_since = null,
      status = case when a.status in ('new', 'needs_sign_in') then 'ready' else a.status end
    from saved where a.id = saved.account_id`)
}
