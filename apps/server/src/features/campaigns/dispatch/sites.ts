import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../../kit/context.ts'

const sitesRow = z.object({ account: z.string().nullable(), sites: z.array(z.string()) })
const startsRow = z.object({ site: z.string(), starts: z.number() })

/** `*.example.org` and `example.org` are one. */
const plain = (names: SQL) =>
  sql`array(select distinct regexp_replace(name, '^[*][.]', '') from unnest(${names}) name)`

/** The domains that the release `rel` names; where it names none, the workflow stands for wherever it goes. */
const OF_RELEASE = plain(sql`coalesce(
  nullif(array(select jsonb_array_elements_text(rel.capabilities -> 'domains')), '{}'), array['workflow ' || rel.workflow_id])`)

/** The domains of a run with the account `a` and the release `rel`: those that the account is limited to come first. */
const SITES = sql`(case when a.allowed_domains <> '{}' then ${plain(sql`a.allowed_domains`)} else ${OF_RELEASE} end)`

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

/**
 * How many runs of all campaigns began on each of these domains in the last minute. Runs that go to the same are counted
 * before their domains are looked at, since there may be very many.
 */
export async function startsOnSites(tx: Tx, all: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const names = sql.param([...all])
  const written = sql.param(all.flatMap((site) => [site, `*.${site}`]))
  const counted = await tx.execute(sql`
    with recent as materialized (
      select r.workflow_id, r.release, a.allowed_domains, count(*) as starts
      from run r left join account a on a.id = r.account_id where r.queued_at > now() - interval '1 minute'
      group by r.workflow_id, r.release, a.allowed_domains)
    select site, sum(a.starts)::int as starts from recent a
    join workflow_release rel on rel.workflow_id = a.workflow_id and rel.number = a.release
    cross join unnest(${SITES}) site
    where (coalesce(a.allowed_domains, '{}') = '{}' or a.allowed_domains && ${written}::text[])
      and site = any(${names}::text[])
    group by site`)
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
