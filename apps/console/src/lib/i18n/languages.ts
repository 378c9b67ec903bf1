import { store } from '../emitter.ts'
import { STORAGE, readStored, readStoredJson, writeStored } from '../storage.ts'

/** A language of the console. */
export interface Language {
  code: LanguageCode
  name: string
  rtl: boolean
}
export const LANGUAGE_CODES = ['en', 'fr', 'ar'] as const
export type LanguageCode = (typeof LANGUAGE_CODES)[number]

/** The languages that the console speaks, each by its own name. */
export const LANGUAGES: readonly Language[] = [
  { code: 'en', name: 'English', rtl: false },
  { code: 'fr', name: 'Français', rtl: false },
  { code: 'ar', name: 'العربية', rtl: true },
]
export const DEFAULT_LANGUAGE: LanguageCode = 'en'

const LOCALES: Record<LanguageCode, string> = { en: 'en-US', fr: 'fr-FR', ar: 'ar' }

/** The locale by which dates and numbers of a language are written. */
export function localeOf(code: LanguageCode): string {
  return LOCALES[code]
}

/** Whether a text names one of our languages. */
export function isLanguageCode(value: unknown): value is LanguageCode {
  return LANGUAGE_CODES.some((code) => code === value)
}

/** The language of a code; of an unknown one, the default. */
export function languageOf(code: unknown): Language {
  return (
    LANGUAGES.find((language) => language.code === code) ??
    LANGUAGES.find((language) => language.code === DEFAULT_LANGUAGE) ?? {
      code: 'en',
      name: 'English',
      rtl: false,
    }
  )
}

/** The language chosen on this device. */
export function storedLanguage(): Language {
  return languageOf(storedCode())
}

/** Whether a language was chosen on this device. */
export function isLanguageChosen(): boolean {
  return isLanguageCode(storedCode())
}

function storedCode(): unknown {
  return readStored(STORAGE.i18n) ?? dataCode(readStoredJson(STORAGE.language))
}

function dataCode(data: unknown): unknown {
  return data !== null && typeof data === 'object' && 'code' in data ? data.code : undefined
}

/** Keeps the language: the whole setting, its code, and the list of languages with their directions. */
export function storeLanguage(language: Language): void {
  writeStored(STORAGE.language, JSON.stringify(language))
  writeStored(STORAGE.i18n, language.code)
  writeStored(STORAGE.i18ns, JSON.stringify(LANGUAGES))
}

/** The language shown now. */
export const currentLanguage = store<Language>(languageOf(DEFAULT_LANGUAGE))
