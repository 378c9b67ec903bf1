/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
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
  return wall.getTime() - Math.floor(at / 1000) * 1000
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

/** What the clock on the wall of a zone shows at a moment, as `2026-05-05T09:00`; empty where there is no such moment. */
export function wallTime(iso: string, zone: string): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return ''
  return new Date(at + offsetAt(at, zone)).toISOString().slice(0, 16)
}

/**
 * The moment at which a zone's wall clock shows this; null where the text is none. A time that a change of the clock
 * leaves out is taken as long after the change as it would have been; of one that comes twice, the first.
 */
export function instantOf(wall: string, zone: string): string | null {
  const asUtc = Date.parse(`${wall}Z`)
  if (Number.isNaN(asUtc)) return null
  const before = offsetAt(asUtc - 86_400_000, zone)
  const after = offsetAt(asUtc + 86_400_000, zone)
  const candidates = [asUtc - before, asUtc - after].filter((at) => at + offsetAt(at, zone) === asUtc)
  return new Date(candidates.length > 0 ? Math.min(...candidates) : asUtc - before).toISOString()
}
