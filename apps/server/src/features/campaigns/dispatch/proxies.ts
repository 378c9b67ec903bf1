import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { WaitReason } from '@weft/contract/campaigns/schema'
import { PROXY_UNUSABLE } from '@weft/contract/proxies/schema'
import type { Tx } from '../../../kit/context.ts'
import { anyOf } from '../../../kit/recordset.ts'

/** The status of a proxy `r` as campaigns see it: one that has come to its end counts as expired. */
export const PROXY_STATUS = sql`case when r.expires_at <= now() then 'expired' else r.status end`

/** The statuses with which campaigns are not given a proxy. */
const UNUSABLE: readonly string[] = ['expired', ...PROXY_UNUSABLE]

/** Whether campaigns are not given a proxy `r`. */
export const IS_UNUSABLE = sql`${PROXY_STATUS} = any(${sql.param([...UNUSABLE])}::text[])`

/** Whether campaigns are given proxies of this status. */
export function isUsableProxy(status: string): boolean {
  return !UNUSABLE.includes(status)
}

/** What is known of a proxy when an item's turn comes. */
export interface ProxyFacts {
  name: string
  status: string
  /** Its free slots, as many as matter; null where it has no capacity. */
  slots: number[] | null
}

const row = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  slots: z.array(z.number()).nullable(),
})

/** The facts of some proxies, by their ids. */
export async function proxyFacts(
  tx: Tx,
  proxyIds: readonly (string | null)[],
): Promise<Map<string, ProxyFacts>> {
  const ids = [...new Set(proxyIds.filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const result = await tx.execute(sql`
    select r.id, r.host || ':' || r.port as name, ${PROXY_STATUS} as status, case when r.capacity is not null then
      array(select s from generate_series(0, r.capacity - 1) s where not exists (
          select 1 from resource_lease l where l.kind = 'proxy' and l.resource_id = r.id and l.slot = s)
        order by s limit 64) end as slots
    from proxy r where r.id = ${anyOf(ids)}`)
  return new Map(
    result.rows.map((raw) => {
      const { id, ...facts } = row.parse(raw)
      return [id, facts]
    }),
  )
}

/** Why a run may not go through this proxy just now, or null. */
export function proxyBlock({ name, status, slots }: ProxyFacts): WaitReason | null {
  if (!isUsableProxy(status)) return { code: 'wait.proxy_status', params: { name, status } }
  return slots?.length === 0 ? { code: 'wait.proxy_busy', params: { name } } : null
}
