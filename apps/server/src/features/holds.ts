import { and, eq, exists, inArray, not, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Attachable } from '@weft/contract/campaigns/schema'
import type { LeaseView } from '@weft/contract/core/lease'
import type { EventFeature } from '@weft/contract/core/events'
import type { Subject } from '@weft/contract/core/permissions'
import { scopeColumns, type Reader, type ResourceTable, type Use } from '../kit/resource/definition.ts'
import { campaign } from './campaigns/table.ts'
import { leaseOf, type LeasedKind } from './runs/lease-table.ts'

/** The lease of each row of a resource, for the definition of that resource. */
export function leaseColumn(kind: LeasedKind, table: ResourceTable): SQL {
  return leaseOf(kind, sql`${table.id}`)
}

/** What `leaseColumn` gave. */
export function leaseView(extras: Readonly<Record<string, unknown>>): LeaseView | null {
  return (extras['lease'] ?? null) as LeaseView | null
}

function held(kind: LeasedKind, table: ResourceTable): SQL {
  return sql`exists (select 1 from resource_lease l where l.kind = ${kind} and l.resource_id = ${table.id})`
}

/**
 * A status that is not stored but follows from a lease: whoever holds a row in one of `from` makes it show as `shown`.
 * This is the list's filter for it.
 */
export function statusFilter(
  hold: { kind: LeasedKind; shown: string; from: readonly string[] },
  table: ResourceTable & { status: PgColumn },
  values: unknown,
): SQL | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined
  const wanted = values.map(String)
  const free = wanted.filter((value) => hold.from.includes(value))
  const others = wanted.filter((value) => !hold.from.includes(value))
  const isHeld = held(hold.kind, table)
  const isShown = wanted.includes(hold.shown)
  // Of those that a lease may hide: all that are held, all that are not, or these in any case.
  const ofLeased = isShown
    ? or(isHeld, free.length > 0 ? inArray(table.status, free) : undefined)
    : free.length > 0
      ? not(isHeld)
      : undefined
  return and(
    // One condition on the column itself, by which an index can go without reading all that have one of them.
    inArray(table.status, [...others, ...(isShown ? hold.from : free)]),
    others.length > 0 && ofLeased ? or(inArray(table.status, others), ofLeased) : ofLeased,
  )
}

/** The status to show. */
export function shownStatus<S extends string>(
  hold: { shown: S; from: readonly S[] },
  status: S,
  lease: LeaseView | null,
): S {
  return lease !== null && hold.from.includes(status) ? hold.shown : status
}

/** Records that hold the id of another one. */
export interface Reference {
  feature: EventFeature
  subject: Subject
  table: ResourceTable
  /** The column with the other's id. */
  column: PgColumn
  name: PgColumn
}

const useRow = z.object({ id: z.string(), name: z.string() })
const MAX_USES = 100

/** What uses a resource, as far as the person may see it: the run that holds it, campaigns, other records. */
export async function usesOf(
  ctx: Reader,
  of: { attachable?: Attachable; leased?: LeasedKind; references?: readonly Reference[] },
  id: string,
): Promise<Use[]> {
  const uses: Use[] = []
  if (of.leased) {
    const found = await ctx.tx.execute(sql`
      select r.id, r.id::text as name from resource_lease l join run r on r.id = l.run_id
      where l.kind = ${of.leased} and l.resource_id = ${id} order by l.slot limit ${MAX_USES}`)
    uses.push(...found.rows.map((row) => ({ feature: 'runs', ...useRow.parse(row), blocks: true })))
  }
  if (of.attachable) {
    const found = await ctx.tx
      .select({ id: campaign.id, name: campaign.title })
      .from(campaign)
      .where(
        and(
          exists(
            sql`(select 1 from campaign_resource a where a.campaign_id = ${campaign.id}
              and a.kind = ${of.attachable} and a.resource_id = ${id})`,
          ),
          sql`${campaign.deletedAt} is null`,
          ctx.scope('VIEW', 'CAMPAIGN', scopeColumns(campaign)),
        ),
      )
      .limit(MAX_USES)
    uses.push(...found.map((row) => ({ feature: 'campaigns', ...row, blocks: false })))
  }
  for (const { feature, subject, table, column, name } of of.references ?? []) {
    const found = await ctx.tx
      .select({ id: table.id, name })
      .from(table)
      .where(
        and(eq(column, id), sql`${table.deletedAt} is null`, ctx.scope('VIEW', subject, scopeColumns(table))),
      )
      .limit(MAX_USES)
    uses.push(...found.map((row) => ({ feature, ...useRow.parse(row), blocks: false })))
  }
  return uses
}

/** Whether anything at all uses the row. */
export function usedBy(
  table: ResourceTable,
  of: { attachable?: Attachable; leased?: LeasedKind; references?: readonly Reference[] },
): SQL {
  const conditions = [
    of.leased && held(of.leased, table),
    of.attachable &&
      sql`exists (select 1 from campaign_resource a where a.kind = ${of.attachable} and a.resource_id = ${table.id})`,
    ...(of.references ?? []).map(
      (reference) =>
        sql`exists (select 1 from ${reference.table} where ${reference.column} = ${table.id} and ${reference.table.deletedAt} is null)`,
    ),
  ]
  return or(...conditions.filter((one) => one !== undefined)) ?? sql`false`
}
