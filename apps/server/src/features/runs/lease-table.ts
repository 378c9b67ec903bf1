import { sql, type SQL } from 'drizzle-orm'
import { integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Exclusive holds of unfinished runs on resources. Proxies have as many slots as their capacity, the others one. */
export const resourceLease = pgTable(
  'resource_lease',
  {
    kind: text({ enum: ['account', 'profile', 'phone', 'video', 'proxy'] }).notNull(),
    resourceId: uuid('resource_id').notNull(),
    slot: integer().notNull().default(0),
    runId: uuid('run_id').notNull(),
    since: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.resourceId, table.slot] })],
)
export type LeasedKind = (typeof resourceLease.$inferSelect)['kind']

/**
 * A scalar subquery giving the lease of a resource as JSON in the shape of the contract's `leaseSchema`, or null: who
 * holds it (the first slot for proxies), since when and until when.
 */
export function leaseOf(kind: LeasedKind, resourceId: SQL): SQL {
  return sql`(select json_build_object('runId', l.run_id, 'campaignId', c.id, 'campaignTitle', c.title,
      'since', to_json(l.since at time zone 'utc') #>> '{}' || 'Z', 'until', to_json(r.held_until at time zone 'utc') #>> '{}' || 'Z')
    from resource_lease l join run r on r.id = l.run_id left join campaign c on c.id = r.campaign_id
    where l.kind = ${kind} and l.resource_id = ${resourceId} order by l.slot limit 1)`
}
