import { ar } from './ar.ts'
import { en, type Text } from './en.ts'
import { fr } from './fr.ts'

/** The languages, each with the prefix of its addresses. */
export const LOCALES = ['en', 'fr', 'ar'] as const
export type Locale = (typeof LOCALES)[number]

/** The sentences of each language. */
export const TEXTS: Readonly<Record<Locale, Text>> = { en, fr, ar }

/** What each language calls itself. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  en: 'English',
  fr: 'Français',
  ar: 'العربية',
}

/** Splits an address's path into its language and the page's own path. */
export function splitPath(path: string): { locale: Locale; page: string } {
  const match = /^\/(fr|ar)(?=\/|$)/.exec(path)
  if (!match) return { locale: 'en', page: path || '/' }
  return { locale: match[1] === 'ar' ? 'ar' : 'fr', page: path.slice(match[0].length) || '/' }
}

/** The address of a page in a language. */
export function joinPath(locale: Locale, page: string): string {
  if (locale === 'en') return page
  return page === '/' ? `/${locale}` : `/${locale}${page}`
}
