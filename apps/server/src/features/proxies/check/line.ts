import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../../kit/context.ts'
import { newId } from '../../../kit/id.ts'
import { anyOf } from '../../../kit/recordset.ts'
import { proxy, type ProxyRow } from '../table.ts'
import { inArray } from 'drizzle-orm'

/** Whoever takes a proxy out of the line has so long to say what it found; a check takes a quarter of it at most. */
const HELD_SECONDS = 60

/** Times are kept in milliseconds, and one that is rounded up is not to come. */
const IS_DUE = sql`due_at <= now() + interval '1 millisecond'`

/** Puts the proxies that meet a condition in line, as one check that somebody asked for. Disabled ones are left out. */
export async function askForCheck(
  tx: Tx,
  ownerId: string,
  where: SQL | undefined,
): Promise<{ id: string; total: number }> {
  const id = newId()
  await tx.execute(sql`insert into proxy_check (id, owner_id, total) values (${id}, ${ownerId}, 0)`)
  const added = await tx.execute(sql`
    insert into proxy_due (proxy_id, check_id)
    select ${proxy.id}, ${id}::uuid from ${proxy} where ${where} and ${proxy.status} <> 'disabled' order by ${proxy.id}
    on conflict (proxy_id) do update set check_id = excluded.check_id, due_at = now()`)
  const total = added.rowCount ?? 0
  await tx.execute(
    sql`update proxy_check set total = ${total}, finished_at = case when ${total}::int = 0 then now() end where id = ${id}`,
  )
  return { id, total }
}

const takenRow = z.object({ proxy_id: z.string(), check_id: z.string().nullable() })

/** A proxy that this process is to check now. */
export interface Taken {
  proxy: ProxyRow
  checkId: string | null
}

/** Takes some proxies out of the line. What is gone, in the trash or disabled by now leaves it unchecked. */
export async function takeSome(tx: Tx, count: number): Promise<Taken[]> {
  const { rows } = await tx.execute(sql`
    update proxy_due d set due_at = now() + make_interval(secs => ${HELD_SECONDS})
    from (select proxy_id from proxy_due where ${IS_DUE} order by due_at limit ${count} for update skip locked) t
    where d.proxy_id = t.proxy_id returning d.proxy_id, d.check_id`)
  const taken = rows.map((row) => takenRow.parse(row))
  if (taken.length === 0) return []
  const ids = taken.map((row) => row.proxy_id)
  const found = await tx.select().from(proxy).where(inArray(proxy.id, ids))
  const wanted = new Map(
    found.flatMap((row) => (row.deletedAt === null && row.status !== 'disabled' ? [[row.id, row]] : [])),
  )
  const unwanted = ids.filter((id) => !wanted.has(id))
  if (unwanted.length > 0) await tx.execute(sql`delete from proxy_due where proxy_id = ${anyOf(unwanted)}`)
  return taken.flatMap(({ proxy_id, check_id }) => {
    const row = wanted.get(proxy_id)
    return row ? [{ proxy: row, checkId: check_id }] : []
  })
}

/** Gives back what was taken and not checked, for others to take at once. */
export async function giveBack(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await tx.execute(sql`update proxy_due set due_at = now() where proxy_id = ${anyOf(ids)}`)
}

/** Clears away what is known of checks of long ago. */
export async function clearChecks(tx: Tx): Promise<void> {
  await tx.execute(sql`delete from proxy_check where finished_at < now() - interval '30 days'`)
}

/** Says of checks that nothing is left of that they are over. */
export async function endChecks(tx: Tx): Promise<void> {
  await tx.execute(sql`
    update proxy_check c set finished_at = now() where finished_at is null
      and not exists (select 1 from proxy_due d where d.check_id = c.id)`)
}

/** Whether anything in line could be taken now. */
export async function isAnyDue(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute(sql`select 1 from proxy_due where ${IS_DUE} limit 1`)
  return rows.length > 0
}

/** Puts into the line what is to be tried again by now, and, with a schedule, what was not checked for so long. */
export async function lineUpDue(tx: Tx, everyMinutes: number, limit: number): Promise<void> {
  await tx.execute(sql`
    insert into proxy_due (proxy_id)
    select id from proxy where retry_at <= now() and deleted_at is null and status <> 'disabled'
    order by retry_at limit ${limit} on conflict do nothing`)
  if (everyMinutes === 0) return
  const before = sql`now() - make_interval(mins => ${everyMinutes})`
  const free = sql`p.deleted_at is null and p.retry_at is null and p.status <> 'disabled'
    and not exists (select 1 from proxy_due d where d.proxy_id = p.id)`
  await tx.execute(sql`
    insert into proxy_due (proxy_id)
    (select p.id from proxy p where p.checked_at < ${before} and ${free} order by p.checked_at limit ${limit})
    union all (select p.id from proxy p where p.checked_at is null and ${free} limit ${limit})
    on conflict do nothing`)
}
