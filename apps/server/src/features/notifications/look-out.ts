import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { DEFAULT_AGENT_PARAMS } from '@weft/contract/agents/sessions'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../kit/context.ts'
import { tellQuestions } from '../questions/tell.ts'
import { notify } from './notify.ts'

/** A campaign that has work and has not moved for so long stands still. */
export const STALL_MINUTES = 15
const found = z.object({ id: z.string(), owner_id: z.string().nullable(), name: z.string() })
const LOCK = 7_263_085

/** Tells of what no transaction does: clients that fell silent or came back, campaigns that stand still. */
export async function lookOut(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${LOCK}) as mine`,
    )
    if (!rows[0]?.mine) return
    await lostClients(tx)
    await clientsBack(tx)
    await stalledCampaigns(tx)
    await tellQuestions(tx)
  })
}

const silent = sql`extract(epoch from now() - c.last_seen_at) > ${DEFAULT_AGENT_PARAMS.lostSeconds}`

/** A client is told lost once, and again only after it was heard. */
async function lostClients(tx: Tx): Promise<void> {
  const { rows } = await tx.execute(sql`
    select c.id, c.owner_id, c.name from client c
    where c.session_hash is not null and c.agent_state <> 'stopping' and c.deleted_at is null
      and c.owner_id is not null and ${silent}
      and not exists (
        select 1 from notification n where n.record_id = c.id::text and n.kind = 'client.lost' and n.at > c.last_seen_at)
    order by c.id limit 200`)
  for (const { id, owner_id, name } of z.array(found).parse(rows))
    await notify(tx, owner_id, {
      kind: 'client.lost',
      params: { client: name },
      about: { feature: 'clients', id },
    })
}

async function clientsBack(tx: Tx): Promise<void> {
  const { rows } = await tx.execute(sql`
    select c.id, c.owner_id, c.name from client c
    join lateral (
      select n.kind, n.at from notification n
      where n.record_id = c.id::text and n.kind in ('client.lost', 'client.back') order by n.at desc limit 1
    ) last on last.kind = 'client.lost' and last.at < c.last_seen_at
    where c.session_hash is not null and c.agent_state <> 'stopping' and c.deleted_at is null and not ${silent}
    order by c.id limit 200`)
  for (const { id, owner_id, name } of z.array(found).parse(rows))
    await notify(tx, owner_id, {
      kind: 'client.back',
      params: { client: name },
      about: { feature: 'clients', id },
    })
}

async function stalledCampaigns(tx: Tx): Promise<void> {
  const limit = sql`now() - make_interval(mins => ${STALL_MINUTES}::int)`
  // First those that have ready items and nothing under way, by the small table of counts; only then their runs.
  const { rows } = await tx.execute(sql`
    with still as materialized (
      select c.id, c.owner_id, c.title, c.state_changed_at from campaign c
      where c.state = 'running' and c.deleted_at is null and c.state_changed_at < ${limit}
        and (select coalesce(sum(t.ready), 0) > 0 and coalesce(sum(t.leased + t.running), 0) = 0
          from campaign_tally t where t.campaign_id = c.id)
    )
    select s.id, s.owner_id, s.title as name from still s
    cross join lateral (
      select greatest(s.state_changed_at, max(r.queued_at), max(r.finished_at)) as at from run r where r.campaign_id = s.id
    ) moved
    where moved.at < ${limit} and exists (
      -- What is held stands still as it should.
      select 1 from campaign_item i where i.campaign_id = s.id and i.state = 'ready' and (i.ready_at is null or i.ready_at < now()))
      and not exists (
      select 1 from notification n
      where n.record_id = s.id::text and n.kind = 'campaign.stalled' and n.at > moved.at)
    order by s.id limit 200`)
  for (const { id, owner_id, name } of z.array(found).parse(rows))
    await notify(tx, owner_id, {
      kind: 'campaign.stalled',
      params: { campaign: name, minutes: STALL_MINUTES },
      about: { feature: 'campaigns', id },
    })
}
