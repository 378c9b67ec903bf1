const WEIGHT = 0.3
const MEASURED_EVERY_MS = 500

/** Works out how fast something comes along, evened out over the last seconds. */
export function rateMeter(now: number, sent: number) {
  let last = { at: now, sent }
  let rate: number | null = null
  return {
    /** The rate after these bytes; undefined while it is too soon to say it anew. */
    at(moment: number, bytes: number): number | null | undefined {
      const ms = moment - last.at
      if (ms < MEASURED_EVERY_MS) return undefined
      const current = Math.max(0, ((bytes - last.sent) * 1000) / ms)
      rate = rate === null ? current : rate + WEIGHT * (current - rate)
      last = { at: moment, sent: bytes }
      return rate
    },
  }
}
