import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { MenuTree } from '@weft/contract/routes/schema'

/** Every save of the menu; without a tree it is the shipped one. */
export const routeTree = pgTable('route_tree', {
  version: integer().primaryKey(),
  tree: jsonb().$type<MenuTree>(),
  note: text().notNull().default(''),
  restored: integer(),
  createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  createdBy: uuid('created_by'),
})
