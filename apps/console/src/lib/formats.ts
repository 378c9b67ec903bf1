import { useMemo } from 'react'
import { localeOf, type LanguageCode } from './i18n/languages.ts'
import { useLanguage } from './i18n/texts.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How dates, numbers and lengths are written in one language. */
export interface Formats {
  number: (value: number, digits?: number) => string
  percent: (fraction: number) => string
  bytes: (count: number) => string
  date: (at: string | Date) => string
  time: (at: string | Date) => string
  dateTime: (at: string | Date) => string
  /** With seconds and the name of the zone. */
  exact: (at: string | Date) => string
  /** "3 minutes ago", "in 2 days"; beyond a week the date. */
  relative: (at: string | Date, now: number) => string
  duration: (ms: number) => string
}

const made = new Map<LanguageCode, Formats>()

/** The formats of a language. */
export function formatsOf(code: LanguageCode): Formats {
  const known = made.get(code)
  if (known) return known
  const formats = makeFormats(localeOf(code))
  made.set(code, formats)
  return formats
}

/** The formats of the language shown now. */
export function useFormats(): Formats {
  const language = useLanguage()
  return useMemo(() => formatsOf(language.code), [language.code])
}

/** What is made when it is first wanted: a page writes few of the ways there are, and each costs a moment. */
function once<T>(make: () => T): () => T {
  let value: T | undefined
  return () => (value ??= make())
}

function makeFormats(locale: string): Formats {
  const plain = once(() => new Intl.NumberFormat(locale))
  const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }))
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
  const time = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))
  const dateTime = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
  const exact = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }))
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }))
  const asDate = (at: string | Date) => (typeof at === 'string' ? new Date(at) : at)
  const amount = (value: number, unit: string, digits = 0) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: 'narrow',
      maximumFractionDigits: digits,
    }).format(value)
  return {
    number: (value, digits) =>
      digits === undefined
        ? plain().format(value)
        : new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value),
    percent: (fraction) => percent().format(fraction),
    bytes: (count) => {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
      let value = count
      let step = 0
      while (Math.abs(value) >= 1000 && step < units.length - 1) {
        value /= 1000
        step += 1
      }
      return new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: units[step] ?? 'byte',
        // The short form knows no plural of bytes.
        unitDisplay: step === 0 ? 'long' : 'short',
        maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
      }).format(value)
    },
    date: (at) => date().format(asDate(at)),
    time: (at) => time().format(asDate(at)),
    dateTime: (at) => dateTime().format(asDate(at)),
    exact: (at) => exact().format(asDate(at)),
    relative: (at, now) => {
      const moment = asDate(at)
      const ahead = moment.getTime() - now
      // The clock that it is held against may be half a minute slow: what just happened is not still to come.
      const ms = ahead > 0 && ahead < MINUTE / 2 ? 0 : ahead
      const size = Math.abs(ms)
      if (size < MINUTE) return relative().format(Math.round(ms / 1000), 'second')
      if (size < HOUR) return relative().format(Math.round(ms / MINUTE), 'minute')
      if (size < DAY) return relative().format(Math.round(ms / HOUR), 'hour')
      if (size < 7 * DAY) return relative().format(Math.round(ms / DAY), 'day')
      return date().format(moment)
    },
    duration: (ms) => {
      if (ms < 1000) return amount(Math.round(ms), 'millisecond')
      if (ms < 10_000) return amount(ms / 1000, 'second', 1)
      if (ms < MINUTE) return amount(Math.round(ms / 1000), 'second')
      const [big, small, bigUnit, smallUnit] =
        ms < HOUR
          ? [ms / MINUTE, (ms % MINUTE) / 1000, 'minute', 'second']
          : ms < DAY
            ? [ms / HOUR, (ms % HOUR) / MINUTE, 'hour', 'minute']
            : [ms / DAY, (ms % DAY) / HOUR, 'day', 'hour']
      const rest = Math.floor(small)
      return `${amount(Math.floor(big), bigUnit)}${rest > 0 ? ` ${amount(rest, smallUnit)}` : ''}`
    },
  }
}
