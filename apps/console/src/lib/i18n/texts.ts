import { use, useCallback, useSyncExternalStore } from 'react'
import type kitTexts from '../../kit/i18n/en.json'
import type appTexts from '../../app/i18n/en.json'
import { lookUp, type Params } from './lookup.ts'
import { currentLanguage } from './languages.ts'
import { textsComing, wantTexts } from './wanted.ts'

type Plural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type Singular<K extends string> = K extends `${infer Base}_${Plural}` ? Base : K
type Join<A extends string, B extends string> = A extends '' ? B : `${A}.${B}`

/** The dotted keys of a text file; plural forms count as one key. */
export type KeyOf<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? Join<Prefix, Singular<K>> : KeyOf<T[K], Join<Prefix, K>>
}[keyof T & string]

export type { Params }

/** Gives the text of a key. */
export type Translate<K extends string = string> = (key: K, params?: Params) => string

/** A hook that gives the texts of one namespace, typed by its English file; it waits for them where they are not here. */
export function textsOf<T>(namespace: string): () => Translate<KeyOf<T>> {
  wantTexts(namespace)
  return function useTexts() {
    const language = useLanguage()
    const coming = textsComing(namespace)
    if (coming) use(coming)
    return useCallback(
      (key: KeyOf<T>, params?: Params) =>
        lookUp(language.code, `${namespace}:${String(key)}`, params) ?? String(key),
      [language],
    )
  }
}

/** The language shown now; the component follows a change. */
export function useLanguage() {
  return useSyncExternalStore(currentLanguage.subscribe, currentLanguage.get)
}

/** Texts of the kit. */
export const useKitText = textsOf<typeof kitTexts>('kit')
/** Texts of the frame, sign-in and error pages. */
export const useAppText = textsOf<typeof appTexts>('app')

/** The text of the first of several full keys (`namespace:key`) that exists. */
export function firstText(keys: readonly string[], params?: Params): string | undefined {
  for (const key of keys) {
    const found = lookUp(currentLanguage.get().code, key, params)
    if (found !== undefined) return found
  }
  return undefined
}

/** A text by its full key, outside React. */
export function text(key: string, params?: Params): string {
  return lookUp(currentLanguage.get().code, key, params) ?? key.slice(key.indexOf(':') + 1)
}

/** Words for machine names that have none yet, so that a gap is readable: `needs_sign_in` gives "Needs sign in". */
export function readable(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[._-]+/g, ' ')
    .toLowerCase()
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
