import { sql } from 'drizzle-orm'
import type { Tx, Work } from '../../../kit/context.ts'
import { manyOf } from '../../../kit/resource/visible.ts'
import { anyOf, recordset } from '../../../kit/recordset.ts'
import { notify } from '../../notifications/notify.ts'
import { proxy as table, type ProxyRow } from '../table.ts'
import { endChecks, type Taken } from './line.ts'
import { tallied, tallyColumns } from './tally.ts'
import { isInconclusive, verdict, type Outcome, type Verdict } from './verdict.ts'

/** A proxy that was checked, and what that showed. */
export interface Checked extends Taken {
  outcome: Outcome
  at: Date
}

const COLUMNS = {
  id: 'uuid',
  version: 'int',
  status: 'text',
  failures: 'int',
  error: 'text',
  retry: 'timestamptz',
  latency: 'int',
  exit: 'text',
  country: 'text',
  tally: 'jsonb',
  ratio: 'float8',
  until: 'timestamptz',
  at: 'timestamptz',
} as const
/** Beyond so many records of one owner, one event says that there were many. */
const MAX_EVENTS = 20

/**
 * Writes what checks found, all in one transaction: the proxies, a line of history and a notification where a status
 * changed, the counts of the checks that they were part of. A proxy that somebody changed meanwhile stays as that person
 * left it, and stands in line again.
 */
export async function settle(work: Work, all: readonly Checked[], slowMs: number): Promise<void> {
  if (all.length === 0) return
  const { tx } = work
  const judged = all.map((one) => ({
    ...one,
    verdict: verdict(one.proxy, one.outcome, { now: one.at, slowMs }),
  }))
  const written = await write(tx, judged)
  const done = judged.filter(({ proxy }) => written.has(proxy.id))
  await leaveLine(tx, done)
  const missed = judged.filter(({ proxy }) => !written.has(proxy.id)).map(({ proxy }) => proxy.id)
  if (missed.length > 0)
    await tx.execute(sql`update proxy_due set due_at = now() where proxy_id = ${anyOf(missed)}`)
  await count(tx, done)
  await endChecks(tx)
  for (const one of done) remember(work, one)
  await tell(tx, done)
  announce(work, done)
}

type Judged = Checked & { verdict: Verdict }

async function write(tx: Tx, all: readonly Judged[]): Promise<ReadonlySet<string>> {
  // One that was asked for meanwhile may have been checked twice at once: each is counted onto what is there by now.
  const held = await tx
    .select({ id: table.id, tally: table.tally })
    .from(table)
    .where(sql`${table.id} = ${anyOf(all.map(({ proxy }) => proxy.id))}`)
    .orderBy(table.id)
    .for('no key update')
  const tallies = new Map(held.map(({ id, tally }) => [id, tally]))
  const rows = all.map(({ proxy, outcome, verdict: found, at }) => ({
    ...tallyColumns(tallied(tallies.get(proxy.id) ?? [], at, outcome)),
    id: proxy.id,
    version: proxy.version,
    status: found.status,
    failures: found.failures,
    error: found.lastError,
    retry: found.retryAt?.toISOString() ?? null,
    latency: outcome.ok ? outcome.latencyMs : null,
    exit: outcome.ok ? outcome.exitIp : null,
    country: outcome.ok ? outcome.country : null,
    at: at.toISOString(),
  }))
  // The version stays: what a check finds is no change of what people wrote, and must not make their forms stale.
  const result = await tx.execute<{ id: string }>(sql`
    update proxy p set status = v.status, failures = v.failures, last_error = v.error, retry_at = v.retry,
      latency_ms = coalesce(v.latency, p.latency_ms), exit_ip = coalesce(v.exit, p.exit_ip),
      country = coalesce(v.country, p.country), checked_at = v.at,
      tally = v.tally, success_ratio_24h = v.ratio, tally_until = v.until
    from ${recordset(COLUMNS, rows)}
    where p.id = v.id and p.version = v.version and p.deleted_at is null and p.status <> 'disabled' returning p.id`)
  return new Set(result.rows.map(({ id }) => id))
}

/** Who was asked for anew meanwhile stays in line for that. */
async function leaveLine(tx: Tx, done: readonly Judged[]): Promise<void> {
  const rows = done.map(({ proxy, checkId }) => ({ proxy: proxy.id, check: checkId }))
  if (rows.length === 0) return
  await tx.execute(sql`
    delete from proxy_due d using ${recordset({ proxy: 'uuid', check: 'uuid' }, rows)}
    where d.proxy_id = v.proxy and d.check_id is not distinct from v.check`)
}

async function count(tx: Tx, done: readonly Judged[]): Promise<void> {
  const counts = new Map<string, { id: string; good: number; bad: number }>()
  for (const { checkId, outcome } of done) {
    if (checkId === null) continue
    const entry = counts.get(checkId) ?? { id: checkId, good: 0, bad: 0 }
    if (outcome.ok) entry.good += 1
    else entry.bad += 1
    counts.set(checkId, entry)
  }
  const rows = [...counts.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  if (rows.length === 0) return
  await tx.execute(sql`
    update proxy_check c set good = c.good + v.good, bad = c.bad + v.bad
    from ${recordset({ id: 'uuid', good: 'int', bad: 'int' }, rows)} where c.id = v.id`)
}

/** The name by which a proxy is spoken of. */
export function nameOf({ host, port }: Pick<ProxyRow, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

function remember(work: Work, { proxy, verdict: found, outcome }: Judged): void {
  if (proxy.status === found.status) return
  work.audit({
    feature: 'proxies',
    recordId: proxy.id,
    label: 'proxy.checked',
    before: { status: proxy.status, failures: proxy.failures },
    after: {
      status: found.status,
      failures: found.failures,
      ...(outcome.ok
        ? { latencyMs: outcome.latencyMs, exitIp: outcome.exitIp }
        : { lastError: found.lastError }),
    },
  })
}

/** Who went into quarantine and who came out of it, told to their owners. */
async function tell(tx: Tx, done: readonly Judged[]): Promise<void> {
  const changed = done.filter(
    ({ proxy, verdict: found, outcome }) => proxy.status !== found.status && !isInconclusive(outcome),
  )
  await tellOwners(
    tx,
    'proxy.quarantined',
    changed.filter(({ verdict: found }) => found.status === 'quarantined'),
  )
  await tellOwners(
    tx,
    'proxy.recovered',
    changed.filter(({ proxy, outcome }) => proxy.status === 'quarantined' && outcome.ok),
  )
}

async function tellOwners(
  tx: Tx,
  kind: 'proxy.quarantined' | 'proxy.recovered',
  all: readonly Judged[],
): Promise<void> {
  for (const [owner, of] of Map.groupBy(all, ({ proxy }) => proxy.ownerId)) {
    const last = of.at(-1)
    if (owner === null || !last) continue
    await notify(tx, owner, {
      kind,
      params: { proxy: nameOf(last.proxy), proxies: of.length },
      ...(of.length === 1 ? { about: { feature: 'proxies' as const, id: last.proxy.id } } : {}),
      group: 'proxies',
    })
  }
}

function announce(work: Work, done: readonly Judged[]): void {
  for (const [owner, of] of Map.groupBy(done, ({ proxy }) => proxy.ownerId)) {
    const ids = of.length > MAX_EVENTS ? [manyOf(owner)] : of.map(({ proxy }) => proxy.id)
    for (const id of ids) work.event({ feature: 'proxies', id, kind: 'updated', ownerId: owner })
  }
}
