import { integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { NOTIFICATION_KIND_NAMES, NOTIFICATION_LINKS } from '@weft/contract/notifications/schema'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** What somebody was told. Unread ones of one group are one row. */
export const notification = pgTable('notification', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  kind: text({ enum: NOTIFICATION_KIND_NAMES }).notNull(),
  params: jsonb().$type<Record<string, string | number>>().notNull(),
  feature: text({ enum: NOTIFICATION_LINKS }),
  recordId: text('record_id'),
  groupKey: text('group_key').notNull(),
  count: integer().notNull().default(1),
  at: at('at').notNull().defaultNow(),
  readAt: at('read_at'),
})
export type NotificationRow = typeof notification.$inferSelect

/** Kinds that somebody does not want to be told. */
export const notificationMute = pgTable(
  'notification_mute',
  {
    userId: uuid('user_id').notNull(),
    kind: text({ enum: NOTIFICATION_KIND_NAMES }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
)
