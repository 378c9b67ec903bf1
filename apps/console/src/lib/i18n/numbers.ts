import { localeOf, type LanguageCode } from './languages.ts'

const formats = new Map<LanguageCode, Intl.NumberFormat>()

/** A number as a language writes it. */
export function numberText(value: number, code: LanguageCode): string {
  const format = formats.get(code) ?? new Intl.NumberFormat(localeOf(code))
  formats.set(code, format)
  return format.format(value)
}
