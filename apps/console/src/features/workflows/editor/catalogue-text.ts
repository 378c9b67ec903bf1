import { useCallback } from 'react'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import { text, useLanguage } from '../../../lib/i18n/texts.ts'
import type { CatalogueText } from '../model/outline-text.ts'

/** Gives the texts of the catalogue of activities in the language shown now. */
export function useCatalogueText(): CatalogueText {
  const language = useLanguage()
  return useCallback(
    (key: string, params?: Record<string, string>) =>
      text(`catalogue:${key}`, { ...params, lng: language.code }),
    [language.code],
  )
}

/** What a type of activity is called; its bare name where this console does not know it. */
export function titleOf(type: string, catalogue: CatalogueText): string {
  const definition = definitionOf(type)
  return definition ? catalogue(definition.titleKey) : type
}
