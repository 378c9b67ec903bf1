import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { AgentCommand, Heartbeat } from '@weft/contract/agents/schema'
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
    select id, attempt, fence, cycle, cancel_reason, cancel_mode as mode, cancel_requested_at is not null as cancelled
    from run where client_id = ${clientId} and finished_at is null
      and ((cycle = 'queued' and held_until > now()) or cancel_requested_at is not null)`)
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
    else
      commands.push(engine.offerCommand({ runId: row.id, clientId, attempt: row.attempt, fence: row.fence }))
  }
  return { commands, changed: client.changed }
}
