/** The zone of this device. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Every zone this browser knows, the device's own first. */
export function allZones(): string[] {
  const own = ownZone()
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== own && zone !== 'UTC')
  return [...new Set([own, 'UTC', ...zones])]
}

function offsetMs(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0)
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return wall - Math.floor(at / 1000) * 1000
}

/** What the clock on the wall of a zone shows at a moment, as `2026-05-05T09:00`; empty where there is no such moment. */
export function wallTime(iso: string, zone: string): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return ''
  return new Date(at + offsetMs(at, zone)).toISOString().slice(0, 16)
}

/**
 * The moment at which a zone's wall clock shows this; null where the text is none. A time that a change of the clock
 * leaves out is taken as long after the change as it would have been; of one that comes twice, the first.
 */
export function instantOf(wall: string, zone: string): string | null {
  const asUtc = Date.parse(`${wall}Z`)
  if (Number.isNaN(asUtc)) return null
  const before = offsetMs(asUtc - 86_400_000, zone)
  const after = offsetMs(asUtc + 86_400_000, zone)
  const candidates = [asUtc - before, asUtc - after].filter((at) => at + offsetMs(at, zone) === asUtc)
  return new Date(candidates.length > 0 ? Math.min(...candidates) : asUtc - before).toISOString()
}
