import { boolean, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { ViewState } from '@weft/contract/views/schema'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A saved view of a list. */
export const listView = pgTable('list_view', {
  id: uuid().primaryKey(),
  ownerId: uuid('owner_id').notNull(),
  list: text().notNull(),
  name: text().notNull(),
  shared: boolean().notNull(),
  state: jsonb().$type<ViewState>().notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

/** The view that a list opens with, for one person or for the people of a role; a person may have it open without any. */
export const listViewDefault = pgTable('list_view_default', {
  list: text().notNull(),
  viewId: uuid('view_id'),
  userId: uuid('user_id'),
  roleId: uuid('role_id'),
})
