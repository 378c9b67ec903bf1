import { createInstance, type FormatterModule } from 'i18next'
import {
  currentLanguage,
  isLanguageCode,
  storeLanguage,
  storedLanguage,
  type Language,
  type LanguageCode,
} from './languages.ts'
import { numberText } from './numbers.ts'

type Texts = Record<string, object>

/** The texts that sign-in and error pages need, a chunk per language. */
const first: Record<LanguageCode, () => Promise<{ default: Texts }>> = {
  en: () => import('./first/en.ts'),
  fr: () => import('./first/fr.ts'),
  ar: () => import('./first/ar.ts'),
}
/** All other texts, a chunk per language; loaded with the frame. */
const rest: Record<LanguageCode, () => Promise<{ default: Texts }>> = {
  en: () => import('./rest/en.ts'),
  fr: () => import('./rest/fr.ts'),
  ar: () => import('./rest/ar.ts'),
}

/** Writes the numbers of a text, its count too, as the language does. */
const numbersByLocale: FormatterModule = {
  type: 'formatter',
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value: unknown, _format, lng) =>
    typeof value === 'number' && isLanguageCode(lng) ? numberText(value, lng) : String(value),
}

let wantsRest = false

/** The one i18next of the console. */
export const i18n = createInstance()

async function load(code: LanguageCode): Promise<void> {
  const parts = [first[code], ...(wantsRest ? [rest[code]] : [])]
  const loaded = await Promise.all(parts.map((part) => part()))
  for (const { default: texts } of loaded)
    for (const [namespace, bundle] of Object.entries(texts))
      if (!i18n.hasResourceBundle(code, namespace)) i18n.addResourceBundle(code, namespace, bundle)
}

function show(language: Language): void {
  document.documentElement.lang = language.code
  document.documentElement.dir = language.rtl ? 'rtl' : 'ltr'
  currentLanguage.set(language)
}

/** Starts the texts in the language of this device. */
export async function startTexts(): Promise<void> {
  const language = storedLanguage()
  i18n.use(numbersByLocale)
  await i18n.init({
    lng: language.code,
    // Every language is complete, which a test proves, so nothing else has to be loaded to fall back to.
    fallbackLng: false,
    ns: ['app', 'errors'],
    defaultNS: 'app',
    resources: {},
    interpolation: {
      escapeValue: false,
      alwaysFormat: true,
    },
    returnNull: false,
  })
  await load(language.code)
  show(language)
}

/** Loads the texts beyond sign-in; from then on a change of language brings them too. */
export async function loadAllTexts(): Promise<void> {
  wantsRest = true
  await load(currentLanguage.get().code)
}

/** Shows another language, keeps the choice, and tells pages and document of the direction. */
export async function changeLanguage(language: Language): Promise<void> {
  await load(language.code)
  await i18n.changeLanguage(language.code)
  storeLanguage(language)
  show(language)
}
