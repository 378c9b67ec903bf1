import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Job, jobSchema } from '@weft/contract/agents/jobs'
import type { Tx } from '../../kit/context.ts'
import { anyOf } from '../../kit/recordset.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { BINDING } from '../attended-runs/binding.ts'
import { freezeProjects } from '../projects/freeze-values.ts'
import { endHolds } from '../runs/holds.ts'
import { openInputs } from '../test-runs/inputs.ts'
import { PROFILE_AND_PROXY, PROFILE_PARTS } from './job-parts.ts'

/**
 * The jobs of some claimed runs, in one query: what to do, with what, within which bounds. Secrets are only named. A run
 * whose resources are gone has no job.
 */
export async function buildJobs(
  tx: Tx,
  secrets: Secrets,
  runIds: readonly string[],
): Promise<Map<string, Job>> {
  if (runIds.length === 0) return new Map()
  await freezeProjects(tx, runIds)
  const result = await tx.execute(sql`
    select r.id, json_build_object(
      'runId', r.id, 'attempt', r.attempt, 'fence', r.fence, 'itemSeq', i.seq,
      'startAt', coalesce(r.start_at, case when t.scope ->> 'activityId' is not null then json_build_object(
        'stepId', t.scope ->> 'activityId', 'path', '[]'::json, 'vars', coalesce(t.base -> 'vars', '{}'),
        'steps', coalesce(t.base -> 'steps', '{}'))::text end),
      'test', case when t.run_id is not null then json_build_object('part', t.scope, 'pins', t.pins,
        'page', t.base -> 'pages' ->> (t.scope ->> 'activityId'),
        'expectations', array(select e ->> 'expression' from jsonb_array_elements(t.expectations) e)) end,
      'campaign', case when c.id is not null then json_build_object('id', c.id, 'title', c.title) end,
      'workflow', json_build_object('id', w.id, 'name', w.name, 'release', r.release, 'hash', coalesce(rel.hash, t.hash)),
      'project', case when rp.run_id is not null then json_build_object('id', rp.project_id, 'name', rp.name,
        'variables', rp.variables) end,
      'inputs', coalesce(c.inputs, t.inputs, '{}'),
      'account', case when a.id is not null then json_build_object('id', a.id, 'name', a.username, 'type', a.type,
        'username', a.username, 'displayName', a.display_name, 'email', a.email, 'channelName', a.channel_name,
        'secrets', array_remove(array[case when a.password is not null then 'password' end,
          case when a.totp_seed is not null then 'totpSeed' end,
          case when a.recovery_codes is not null then 'recoveryCodes' end], null)) end,
      ${PROFILE_AND_PROXY},
      'phone', case when ph.id is not null then json_build_object('id', ph.id, 'name', ph.phone_number,
        'phoneNumber', ph.phone_number) end,
      'video', case when v.id is not null then json_build_object('id', v.id, 'name', v.title, 'fileId', v.file_id,
        'fileName', f.name) end,
      'allowedDomains', coalesce(to_json(a.allowed_domains), '[]')) as job,
      (b.account_id is not null and a.id is null) or (b.profile_id is not null and p.id is null)
        or (b.proxy_id is not null and x.id is null) or (b.phone_id is not null and ph.id is null)
        or (b.video_id is not null and (v.id is null or f.id is null)) as gone, t.secret_inputs as sealed
    from run r
    join workflow w on w.id = r.workflow_id
    left join workflow_release rel on rel.workflow_id = r.workflow_id and rel.number = r.release
    left join test_run t on t.run_id = r.id and r.release is null
    left join run_project rp on rp.run_id = r.id
    left join campaign_item i on i.id = r.item_id
    left join campaign c on c.id = r.campaign_id
    left join lateral ${BINDING} b on true
    left join account a on a.id = b.account_id and a.deleted_at is null
    left join profile p on p.id = b.profile_id and p.deleted_at is null
    ${PROFILE_PARTS}
    left join proxy x on x.id = b.proxy_id and x.deleted_at is null
    left join phone ph on ph.id = b.phone_id and ph.deleted_at is null
    left join video v on v.id = b.video_id and v.deleted_at is null
    left join file f on f.id = v.file_id
    where r.id = ${anyOf(runIds)} and coalesce(rel.hash, t.hash) is not null`)
  const holds = await endHolds(tx, secrets, runIds)
  const row = z.object({ id: z.string(), job: z.unknown(), gone: z.boolean(), sealed: z.string().nullable() })
  const jobs = new Map<string, Job>()
  for (const raw of result.rows) {
    const found = row.parse(raw)
    if (found.gone) continue
    const job = jobSchema.parse({ ...Object(found.job), goOn: holds.get(found.id) ?? null })
    if (found.sealed !== null) Object.assign(job.inputs, openInputs(secrets, found.id, found.sealed))
    jobs.set(found.id, job)
  }
  return jobs
}
