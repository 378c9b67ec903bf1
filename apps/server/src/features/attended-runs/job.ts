import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { jobSchema, type Job } from '@weft/contract/agents/jobs'
import type { Tx } from '../../db/connection.ts'
import { anyOf } from '../../kit/recordset.ts'

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
      'profile', case when p.id is not null then json_build_object('id', p.id, 'name', p.name, 'browserType', p.browser_type,
        'locale', coalesce(p.locale, d.locale), 'timeZone', coalesce(p.time_zone, d.time_zone), 'startUrls', p.start_urls,
        'snapshot', case when sf.id is not null then json_build_object('sha256', sf.sha256, 'size', sf.size) end,
        'device', case when d.id is not null then json_build_object('viewport',
          json_build_object('width', d.width, 'height', d.height), 'scale', d.scale,
          'touch', d.touch, 'mobile', d.mobile, 'userAgent', d.user_agent, 'colorScheme', d.color_scheme) end) end,
      'proxy', case when x.id is not null then json_build_object('id', x.id, 'name', x.host || ':' || x.port,
        'protocol', x.protocol, 'host', x.host, 'port', x.port, 'username', x.username,
        'hasPassword', x.password is not null) end,
      'allowedDomains', coalesce(to_json(a.allowed_domains), '[]')) as job,
      (t.profile_id is not null and p.id is null) or (t.account_id is not null and a.id is null) or (t.proxy_id is not null and x.id is null) as gone
    from run r join attended_run t on t.run_id = r.id
    left join account a on a.id = t.account_id and a.deleted_at is null
    left join profile p on p.id = t.profile_id and p.deleted_at is null
    left join profile_session s on s.profile_id = p.id and s.account_id is not distinct from a.id
      and s.username is not distinct from a.username
    left join file sf on sf.id = s.file_id
    left join device d on d.id = p.device_id
    left join proxy x on x.id = t.proxy_id and x.deleted_at is null
    where r.id = ${anyOf(runIds)}`)
  const jobs = new Map<string, Job>()
  for (const raw of rows) {
    const found = row.parse(raw)
    if (!found.gone) jobs.set(found.id, jobSchema.parse(found.job))
  }
  return jobs
}
