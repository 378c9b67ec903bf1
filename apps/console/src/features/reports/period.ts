/** How far back the dashboard looks. */
export const PERIODS = ['today', 'week', 'month'] as const
export type PeriodName = (typeof PERIODS)[number]

/** A span of time and how finely its series is cut. */
export interface Period {
  from: string
  to: string
  groupBy: 'hour' | 'day'
}

const MINUTE = 60_000
const DAYS: Record<PeriodName, number> = { today: 0, week: 6, month: 29 }

/** Reads a period's name out of the address. */
export function periodName(value: string | null): PeriodName {
  return PERIODS.find((name) => name === value) ?? 'week'
}

/** The period that ends now, in whole minutes so that the same minute asks the same question. */
export function periodOf(name: PeriodName, now: number): Period {
  const to = new Date(Math.ceil((now + 1) / MINUTE) * MINUTE)
  const from = new Date(now)
  from.setHours(0, 0, 0, 0)
  from.setDate(from.getDate() - DAYS[name])
  return { from: from.toISOString(), to: to.toISOString(), groupBy: name === 'today' ? 'hour' : 'day' }
}

/** A point of a series. */
export interface Point {
  at: string
  done: number
  failed: number
}

/** Fills the gaps of a series, so that hours and days on which nothing happened are shown as such. */
export function filled(series: readonly Point[], period: Period): Point[] {
  const known = new Map(series.map((point) => [Date.parse(point.at), point]))
  const points: Point[] = []
  const at = new Date(period.from)
  const end = Date.parse(period.to)
  while (at.getTime() < end) {
    points.push(known.get(at.getTime()) ?? { at: at.toISOString(), done: 0, failed: 0 })
    if (period.groupBy === 'hour') at.setTime(at.getTime() + 60 * MINUTE)
    else at.setDate(at.getDate() + 1)
  }
  return points
}

/** Items done per hour over a period, or null where it has no length. */
export function perHour(done: number, period: Period): number | null {
  const hours = (Date.parse(period.to) - Date.parse(period.from)) / (60 * MINUTE)
  return hours > 0 ? done / hours : null
}
