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
import { fetchTextsBy, wantedTexts, wantTexts } from './wanted.ts'

type Texts = Record<string, object>

/** The texts that sign-in and error pages need, a chunk per language. */
const first: Record<LanguageCode, () => Promise<{ default: Texts }>> = {
  en: () => import('./first/en.ts'),
  fr: () => import('./first/fr.ts'),
  ar: () => import('./first/ar.ts'),
}

let hasFrame = false

async function load(code: LanguageCode): Promise<void> {
  const [{ default: texts }] = await Promise.all([first[code](), hasFrame ? loadWanted(code) : undefined])
  for (const [namespace, bundle] of Object.entries(texts)) addTexts(code, namespace, bundle)
}

async function loadWanted(code: LanguageCode): Promise<void> {
  const { textFile } = await import('./files.ts')
  await Promise.all(
    wantedTexts().map(async (namespace) => {
      const bundle = await textFile(namespace, code)?.()
      if (bundle) addTexts(code, namespace, bundle)
    }),
  )
}

/** Brings one namespace in the language that is shown, and has what was shown without it shown anew. */
async function fetchOne(namespace: string): Promise<void> {
  const { textFile } = await import('./files.ts')
  const language = currentLanguage.get()
  const bundle = await textFile(namespace, language.code)?.()
  if (!bundle) return
  addTexts(language.code, namespace, bundle)
  // The language may have changed meanwhile, before this namespace was known to be wanted in it.
  if (currentLanguage.get().code === language.code) currentLanguage.set({ ...language })
  else await fetchOne(namespace)
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

/** Loads the texts that the frame and its page want; from then on each part brings its own. */
export async function loadFrameTexts(): Promise<void> {
  hasFrame = true
  wantTexts('kit')
  fetchTextsBy(fetchOne)
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
