import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../../kit/context.ts'

const sitesRow = z.object({ account: z.string().nullable(), sites: z.array(z.string()) })
const startsRow = z.object({ site: z.string(), starts: z.number() })

/**
 * The domains of a run with the account `a` and the release `rel`: those that the account is limited to, else those that
 * the release names; where neither tells, the workflow stands for wherever it goes. `*.example.org` and `example.org` are
 * one.
 */
const SITES = sql`array(
  select regexp_replace(name, '^[*][.]', '') from unnest(coalesce(nullif(a.allowed_domains, '{}'),
    nullif(array(select jsonb_array_elements_text(rel.capabilities -> 'domains')), '{}'),
    array['workflow ' || rel.workflow_id])) name)`

/** The domains that runs of a release with some accounts visit. */
export async function sitesOfItems(
  tx: Tx,
  of: { workflowId: string; release: number },
  accountIds: readonly (string | null)[],
): Promise<{ sitesOf: (accountId: string | null) => readonly string[] }> {
  const found = await tx.execute(sql`
    select w.account, ${SITES} as sites
    from workflow_release rel
    cross join unnest(${sql.param([...new Set(accountIds)])}::uuid[]) w (account) left join account a on a.id = w.account
    where rel.workflow_id = ${of.workflowId} and rel.number = ${of.release}`)
  const byAccount = new Map(
    found.rows.map((raw) => {
      const row = sitesRow.parse(raw)
      return [row.account, row.sites]
    }),
  )
  return { sitesOf: (accountId) => byAccount.get(accountId) ?? [] }
}

/** How many runs of all campaigns began on each of these domains in the last minute. */
export async function startsOnSites(tx: Tx, all: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counted = await tx.execute(sql`
    select s.site, count(*)::int as starts from run r
    join workflow_release rel on rel.workflow_id = r.workflow_id and rel.number = r.release
    left join account a on a.id = r.account_id
    cross join unnest(${SITES}) s (site)
    where r.queued_at > now() - interval '1 minute' and s.site = any(${sql.param([...all])}::text[])
    group by s.site`)
  return new Map(
    counted.rows.map((raw) => {
      const row = startsRow.parse(raw)
      return [row.site, row.starts]
    }),
  )
}

/**
 * Keeps other dispatchers from counting the same domains until the end of the transaction, without waiting for them; gives
 * the domains that are this one's now.
 */
export async function lockSites(tx: Tx, all: readonly string[]): Promise<ReadonlySet<string>> {
  const result = await tx.execute(sql`
    select name from unnest(${sql.param([...all])}::text[]) name
    where pg_try_advisory_xact_lock(hashtextextended('dispatch to ' || name, 0))`)
  return new Set(result.rows.map((raw) => z.object({ name: z.string() }).parse(raw).name))
}
