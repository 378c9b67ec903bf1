const DAY = 24 * 60

/**
 * When quiet hours such as `22:00-06:30` end, if they hold at this moment in the zone; otherwise null. Times are
 * minutes of the local day, so a change of the clock moves them with it.
 */
export function quietUntil(range: string | null, now: Date, timeZone: string): Date | null {
  if (!range) return null
  const [from, to] = range.split('-').map(minutesOf)
  if (from === undefined || to === undefined || from === to) return null
  const minute = localMinute(now, timeZone)
  const inside = from < to ? minute >= from && minute < to : minute >= from || minute < to
  if (!inside) return null
  const left = (to - minute + DAY) % DAY
  return new Date(Math.floor(now.getTime() / 60_000) * 60_000 + left * 60_000)
}

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(':').map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function localMinute(now: Date, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(timeZone, format)
  }
  return minutesOf(format.format(now))
}
