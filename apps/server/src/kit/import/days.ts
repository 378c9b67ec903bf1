import { sql } from 'drizzle-orm'
import { z } from 'zod'
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
  // Clocks may be changed between the first guess and the time that is meant.
  const guess = wall - offsetAt(wall, zone)
  return new Date(wall - offsetAt(guess, zone)).toISOString()
}

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const wall = new Date(0)
  wall.setUTCFullYear(part('year'), part('month') - 1, part('day'))
  wall.setUTCHours(part('hour'), part('minute'), part('second'))
  return wall.getTime() - at
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, format)
  return format
}
