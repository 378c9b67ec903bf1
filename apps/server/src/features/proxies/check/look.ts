import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { PROXY_EXPIRY_WARNING_DAYS } from '@weft/contract/proxies/schema'
import type { Tx } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { anyOf } from '../../../kit/recordset.ts'
import { notify } from '../../notifications/notify.ts'
import { ageTallies } from './age.ts'
import { checkProxies } from './jobs.ts'
import { clearChecks, endChecks, isAnyDue, lineUpDue } from './line.ts'
import { nameOf } from './settle.ts'
import { checkPlan } from './try-proxy.ts'

/** So many are put in line at a time. */
const AT_ONCE = 5_000

/** Puts in line what is due by itself, warns of ends that come near, forgets checks of more than a day ago, and has the line worked off. */
export async function lookAtLine(deps: Deps): Promise<void> {
  const { everyMinutes } = checkPlan(await deps.system.all(), deps.settings)
  await deps.db.transaction(async (tx) => {
    await lineUpDue(tx, everyMinutes, AT_ONCE)
    await endChecks(tx)
    await clearChecks(tx)
    await warnOfEnds(tx)
    await ageTallies(tx, deps.now(), AT_ONCE)
    if (await isAnyDue(tx)) await deps.jobs.enqueue(tx, checkProxies, {}, { singletonKey: 'line' })
  })
  deps.jobs.wake(checkProxies.name)
}

const endingRow = z.object({ id: z.string(), owner_id: z.string(), host: z.string(), port: z.number() })

/** Each end is told of once; a new end is another one. */
async function warnOfEnds(tx: Tx): Promise<void> {
  const { rows } = await tx.execute(sql`
    select id, owner_id, host, port from proxy
    where expires_at > now() and expires_at < now() + make_interval(days => ${PROXY_EXPIRY_WARNING_DAYS})
      and expiry_told is distinct from expires_at and deleted_at is null and status <> 'disabled' and owner_id is not null
    order by expires_at limit ${AT_ONCE} for update skip locked`)
  const ending = rows.map((row) => endingRow.parse(row))
  if (ending.length === 0) return
  await tx.execute(
    sql`update proxy set expiry_told = expires_at where id = ${anyOf(ending.map(({ id }) => id))}`,
  )
  for (const [owner, of] of Map.groupBy(ending, (one) => one.owner_id)) {
    const [first] = of
    if (!first) continue
    await notify(tx, owner, {
      kind: 'proxy.expiring',
      params: { proxy: nameOf(first), proxies: of.length, days: PROXY_EXPIRY_WARNING_DAYS },
      ...(of.length === 1 ? { about: { feature: 'proxies' as const, id: first.id } } : {}),
      group: 'proxies',
    })
  }
}
