import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { CatalogueText } from '../model/outline-text.ts'

/** What a type of activity is called; its bare name where this console does not know it. */
export function titleOf(type: string, catalogue: CatalogueText): string {
  const definition = definitionOf(type)
  return definition ? catalogue(definition.titleKey) : type
}
