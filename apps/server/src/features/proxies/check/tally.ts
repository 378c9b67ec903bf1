import { isInconclusive, type Outcome } from './verdict.ts'

/** Checks of one hour: which it is since 1970, how many went well, how many did not. */
export type HourOfChecks = readonly [hour: number, good: number, bad: number]

/** What the checks of the last day showed, the latest hour last. */
export interface Tally {
  hours: readonly HourOfChecks[]
  /** The share of checks that went well, from 0 to 1; null where there were none. */
  ratio: number | null
  /** When the oldest hour is a day old. */
  until: Date | null
}

const HOUR_MS = 3_600_000
const HOURS = 24

/** The tally as it is now: hours older than a day fall away, and a check that says something of the proxy is counted. */
export function tallied(before: readonly HourOfChecks[], now: Date, outcome?: Outcome): Tally {
  const hour = Math.floor(now.getTime() / HOUR_MS)
  const hours = before.filter(([at]) => at > hour - HOURS)
  if (outcome && !isInconclusive(outcome)) {
    const last = hours.at(-1)?.[0] === hour ? hours.pop() : undefined
    const [, good, bad] = last ?? [hour, 0, 0]
    hours.push(outcome.ok ? [hour, good + 1, bad] : [hour, good, bad + 1])
  }
  const good = hours.reduce((sum, [, n]) => sum + n, 0)
  const all = hours.reduce((sum, [, n, m]) => sum + n + m, 0)
  const [oldest] = hours
  return {
    hours,
    ratio: all === 0 ? null : Math.round((good / all) * 1000) / 1000,
    until: oldest ? new Date((oldest[0] + HOURS) * HOUR_MS) : null,
  }
}

/** A tally as it is written to the database. */
export function tallyColumns({ hours, ratio, until }: Tally) {
  return { tally: hours, ratio, until: until?.toISOString() ?? null }
}
