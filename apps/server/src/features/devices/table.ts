import { COLOR_SCHEMES, DEVICE_KINDS } from '@weft/contract/devices/schema'
import { boolean, integer, pgTable, real, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A preset of screen and input that a profile may take. */
export const device = pgTable('device', {
  id: uuid().primaryKey(),
  ownerId: uuid('owner_id'),
  name: text().notNull(),
  kind: text({ enum: DEVICE_KINDS }).notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  scale: real().notNull(),
  touch: boolean().notNull(),
  mobile: boolean().notNull(),
  userAgent: text('user_agent'),
  /** Hold where the profile has none of its own. */
  locale: text(),
  timeZone: text('time_zone'),
  colorScheme: text('color_scheme', { enum: COLOR_SCHEMES }),
  builtIn: boolean('built_in').notNull().default(false),
  version: integer().notNull().default(1),
  createdBy: uuid('created_by'),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})
export type DeviceRow = typeof device.$inferSelect
