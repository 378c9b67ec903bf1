import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { instantOf } from '@weft/contract/core/wall-time'
import type { Tx } from '../context.ts'

/** The zone that days of an import are meant in: that of the person's settings, or UTC. */
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
