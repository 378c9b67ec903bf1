import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { instantOf } from '@weft/contract/core/wall-time'
import type { Tx } from '../context.ts'

/** The zone that days and times of an import are meant in: that of the person's settings, or UTC. */
export async function zoneOf(tx: Tx, userId: string): Promise<string> {
  const { rows } = await tx.execute(sql`select time_zone as zone from app_user where id = ${userId}`)
  return zoneRow.parse(rows[0]).zone ?? 'UTC'
}
const zoneRow = z.object({ zone: z.string().nullable() })

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The last second of a day such as 2030-12-31, as ISO 8601; nothing where there is no such day. */
export function endOfDay(day: string, zone: string): string | undefined {
  if (!DAY.test(day)) return undefined
  const wall = Date.parse(`${day}T23:59:59Z`)
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== day) return undefined
  return instantOf(`${day}T23:59:59`, zone) ?? undefined
}

/** A time on a wall's clock, such as 2030-12-31 18:00, of no zone that is told. */
const WALL = /^(\d{4}-\d{2}-\d{2})[T ](\d{1,2})(:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)$/

/** The moment that a text tells, as ISO 8601: the end of a day, or a time in the zone; nothing where it is neither. */
export function momentOf(text: string, zone: string): string | undefined {
  const [, day, hour = '', rest = ''] = WALL.exec(text) ?? []
  if (day === undefined) return endOfDay(text, zone)
  // Only a day that there is: a calendar would take the 31st of June for the first of July.
  if (endOfDay(day, 'UTC') === undefined) return undefined
  return instantOf(`${day}T${hour.padStart(2, '0')}${rest}`, zone) ?? undefined
}
