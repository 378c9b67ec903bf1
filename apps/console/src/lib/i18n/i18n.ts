import {
  currentLanguage,
  isLanguageChosen,
  languageOf,
  storeLanguage,
  storedLanguage,
  type Language,
  type LanguageCode,
} from './languages.ts'
import { noteChoice } from '../preferences.ts'
import { addTexts } from './lookup.ts'

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

let wantsRest = false

async function load(code: LanguageCode): Promise<void> {
  const parts = [first[code], ...(wantsRest ? [rest[code]] : [])]
  const loaded = await Promise.all(parts.map((part) => part()))
  for (const { default: texts } of loaded)
    for (const [namespace, bundle] of Object.entries(texts)) addTexts(code, namespace, bundle)
}

function show(language: Language): void {
  document.documentElement.lang = language.code
  document.documentElement.dir = language.rtl ? 'rtl' : 'ltr'
  currentLanguage.set(language)
}

/** Starts the texts in the language of this device. */
export async function startTexts(): Promise<void> {
  const language = storedLanguage()
  await load(language.code)
  show(language)
}

/** Shows the installation's language to somebody who has not chosen one on this device. */
export async function showDefaultLanguage(code: LanguageCode): Promise<void> {
  if (isLanguageChosen() || code === currentLanguage.get().code) return
  await load(code)
  show(languageOf(code))
}

/** Loads the texts beyond sign-in; from then on a change of language brings them too. */
export async function loadAllTexts(): Promise<void> {
  wantsRest = true
  await load(currentLanguage.get().code)
}

/** Shows another language, keeps the choice for the person too, and tells pages and document of the direction. */
export async function changeLanguage(language: Language): Promise<void> {
  await adoptLanguage(language)
  noteChoice({ language: language.code })
}

/** Shows the language that the person chose on another device. */
export async function adoptLanguage(language: Language): Promise<void> {
  await load(language.code)
  storeLanguage(language)
  show(language)
}
