import { integer, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A check of several proxies that somebody asked for. */
export const proxyCheck = pgTable('proxy_check', {
  id: uuid().primaryKey(),
  ownerId: uuid('owner_id').notNull(),
  total: integer().notNull(),
  good: integer().notNull().default(0),
  bad: integer().notNull().default(0),
  startedAt: at('started_at').notNull().defaultNow(),
  finishedAt: at('finished_at'),
})

/** The line of proxies that wait for a check, or are being checked until `dueAt`. */
export const proxyDue = pgTable('proxy_due', {
  proxyId: uuid('proxy_id').primaryKey(),
  dueAt: at('due_at').notNull().defaultNow(),
  checkId: uuid('check_id'),
})
