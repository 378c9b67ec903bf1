import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { jobSchema, type Job } from '@weft/contract/agents/jobs'
import type { Tx } from '../../db/connection.ts'
import { anyOf } from '../../kit/recordset.ts'
import { PROFILE_AND_PROXY, PROFILE_PARTS } from '../agents/job-parts.ts'

const row = z.object({ id: z.string(), job: z.unknown(), gone: z.boolean() })

/**
 * The jobs of claimed attended runs. The secrets of the account stay on the server: a person signs in. One whose profile,
 * account or proxy is gone has no job.
 */
export async function buildAttendedJobs(tx: Tx, runIds: readonly string[]): Promise<Map<string, Job>> {
  if (runIds.length === 0) return new Map()
  const { rows } = await tx.execute(sql`
    select r.id, json_build_object(
      'runId', r.id, 'attempt', r.attempt, 'fence', r.fence, 'itemSeq', null, 'startAt', null, 'campaign', null,
      'workflow', null, 'inputs', '{}'::json, 'phone', null, 'video', null,
      'attended', json_build_object('url', t.url, 'seconds', t.seconds, 'purpose', t.purpose),
      'account', case when a.id is not null then json_build_object('id', a.id, 'name', a.username, 'type', a.type,
        'username', a.username, 'displayName', a.display_name, 'email', a.email, 'channelName', a.channel_name,
        'secrets', '[]'::json) end,
      ${PROFILE_AND_PROXY},
      'allowedDomains', coalesce(to_json(a.allowed_domains), '[]')) as job,
      (t.profile_id is not null and p.id is null) or (t.account_id is not null and a.id is null) or (t.proxy_id is not null and x.id is null) as gone
    from run r join attended_run t on t.run_id = r.id
    left join account a on a.id = t.account_id and a.deleted_at is null
    left join profile p on p.id = t.profile_id and p.deleted_at is null
    ${PROFILE_PARTS}
    left join proxy x on x.id = t.proxy_id and x.deleted_at is null
    where r.id = ${anyOf(runIds)}`)
  const jobs = new Map<string, Job>()
  for (const raw of rows) {
    const found = row.parse(raw)
    if (!found.gone) jobs.set(found.id, jobSchema.parse(found.job))
  }
  return jobs
}
