import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { AgentCommand, Heartbeat } from '@weft/contract/agents/sessions'
import { ADMIN_STATES } from '@weft/contract/clients/schema'
import type { Tx } from '../../db/connection.ts'
import type { Engine } from '../../engine/engine.ts'
import { keepSample } from '../clients/samples.ts'

const pendingRow = z.object({
  id: z.string(),
  attempt: z.number(),
  fence: z.number(),
  cycle: z.string(),
  cancel_reason: z.string().nullable(),
  cancelled: z.boolean(),
  mode: z.enum(['graceful', 'now']).nullable(),
  attended: z.object({ left: z.number(), save: z.boolean() }).nullable(),
})
const clientRow = z.object({
  admin: z.enum(ADMIN_STATES),
  thread: z.number(),
  changed: z.boolean(),
  new_minute: z.boolean(),
})

/**
 * Notes how a client is, and gathers what its agent is to do: the same commands that went over the stream, so that a
 * lost stream loses none.
 */
export async function heartbeat(
  tx: Tx,
  engine: Engine,
  clientId: string,
  beat: Heartbeat,
  publicIp: string,
): Promise<{ commands: AgentCommand[]; changed: boolean }> {
  const result = await tx.execute(sql`
    with before as (select id, agent_state, refusing, last_seen_at from client where id = ${clientId} for update)
    update client c set last_seen_at = now(), heartbeat_seq = ${beat.seq}, user_ins = ${beat.userIns}, cpu = ${beat.cpu},
      mem_mb = ${beat.memMb}, disk_free_mb = ${beat.diskFreeMb}, local_ip = ${beat.localIp}, public_ip = ${publicIp},
      refusing = ${beat.refusing}, agent_state = ${beat.state},
      admin = case when c.admin = 'paused' and c.paused_until < now() then 'enabled' else c.admin end
    from before where c.id = before.id
    returning c.admin, c.thread,
      (before.agent_state, before.refusing) is distinct from (c.agent_state, c.refusing)
        or before.last_seen_at is null or before.last_seen_at < now() - interval '30 seconds' as changed,
      date_trunc('minute', before.last_seen_at) is distinct from date_trunc('minute', now()) as new_minute`)
  const client = clientRow.parse(result.rows[0])
  if (client.new_minute) await keepSample(tx, clientId, beat, client.thread)
  const pending = await tx.execute(sql`
    select r.id, r.attempt, r.fence, r.cycle, r.cancel_reason, r.cancel_mode as mode, r.cancel_requested_at is not null as cancelled,
      case when t.run_id is not null and r.started_at is not null then json_build_object('save', t.save_asked_at is not null,
        'left', greatest(0, t.seconds - extract(epoch from now() - r.started_at))) end as attended
    from run r left join attended_run t on t.run_id = r.id and r.workflow_id is null
    where r.client_id = ${clientId} and r.finished_at is null
      and ((r.cycle = 'queued' and r.held_until > now()) or r.cancel_requested_at is not null or r.workflow_id is null)`)
  const commands: AgentCommand[] = [{ type: 'admin', admin: client.admin, slots: client.thread }]
  for (const raw of pending.rows) {
    const row = pendingRow.parse(raw)
    if (row.cancelled)
      commands.push({
        type: 'cancel',
        runId: row.id,
        mode: row.mode ?? 'graceful',
        graceSeconds: engine.params.cancelGraceSeconds,
        reason: row.cancel_reason ?? '',
      })
    else if (row.attended)
      commands.push({
        type: 'attended',
        runId: row.id,
        secondsLeft: row.attended.left,
        save: row.attended.save,
      })
    else if (row.cycle === 'queued')
      commands.push(engine.offerCommand({ runId: row.id, clientId, attempt: row.attempt, fence: row.fence }))
  }
  return { commands, changed: client.changed }
}
