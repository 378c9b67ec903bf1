import { sql } from 'drizzle-orm'
import type {
  NotificationKind,
  NotificationLink,
  NotificationParams,
} from '@weft/contract/notifications/schema'
import type { Tx } from '../../kit/context.ts'
import { newId } from '../../kit/id.ts'
import { recordset } from '../../kit/recordset.ts'

/** What somebody is told: a kind with its params, and the record that it leads to. */
export interface Note<K extends NotificationKind> {
  kind: K
  params: NotificationParams[K]
  about?: { feature: NotificationLink; id: string } | undefined
  /** Unread notes of the same kind and group are one; without it the record is the group. */
  group?: string
}

/**
 * Tells people something, in the transaction in which it happened: they are told if it is committed. Whoever muted the kind
 * is left out. Their open pages hear of it within a moment.
 */
export async function notify<K extends NotificationKind>(
  tx: Tx,
  to: string | null | readonly (string | null)[],
  { kind, params, about, group }: Note<K>,
): Promise<void> {
  const people = new Set([to].flat().filter((id) => id !== null))
  if (people.size === 0) return
  const key = `${kind} ${group ?? about?.id ?? ''}`
  const rows = [...people].map((person) => ({ id: newId(), person }))
  // The ids in order, so that two who tell the same people never wait for each other in a circle.
  rows.sort((a, b) => (a.person < b.person ? -1 : 1))
  await tx.execute(sql`
    with told as (
      insert into notification as n (id, user_id, kind, params, feature, record_id, group_key)
      select v.id, v.person, ${kind}, ${JSON.stringify(params)}::jsonb, ${about?.feature ?? null}, ${about?.id ?? null}, ${key}
      from ${recordset({ id: 'uuid', person: 'uuid' }, rows)}
      join app_user u on u.id = v.person and u.deleted_at is null
      where not exists (select 1 from notification_mute m where m.user_id = v.person and m.kind = ${kind})
      on conflict (user_id, group_key) where read_at is null
        do update set params = excluded.params, count = n.count + 1, at = now()
      returning n.id, n.user_id
    )
    insert into event_outbox (feature, record_id, kind, owner_id)
    select 'notifications', id::text, 'created', user_id from told`)
}

/** Tells everybody who can sign in. */
export async function notifyEveryone<K extends NotificationKind>(tx: Tx, note: Note<K>): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from app_user where status = 'active' and deleted_at is null`)
  await notify(
    tx,
    rows.map(({ id }) => id),
    note,
  )
}

/** Takes back what nobody has read yet and what is no longer so. */
export async function takeBack(
  tx: Tx,
  { kind, group }: { kind: NotificationKind; group: string },
): Promise<void> {
  await tx.execute(sql`
    with gone as (
      delete from notification where group_key = ${`${kind} ${group}`} and read_at is null returning id, user_id
    )
    insert into event_outbox (feature, record_id, kind, owner_id)
    select 'notifications', id::text, 'deleted', user_id from gone`)
}
