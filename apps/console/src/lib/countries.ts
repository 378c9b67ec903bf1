import { currentLanguage, localeOf } from './i18n/languages.ts'

const known = new Map<string, Intl.DisplayNames>()

/** The name of a country, by its two letters, in the language shown now. */
export function countryName(code: string): string {
  const locale = localeOf(currentLanguage.get().code)
  const names = known.get(locale) ?? new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
  known.set(locale, names)
  return names.of(code) ?? code
}
