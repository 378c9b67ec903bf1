import { textsOf } from './texts.ts'

/** Texts of the catalogue of activities. Their keys come from the catalogue itself, whose own test looks after them. */
export const useCatalogueText = textsOf<Record<string, string>>('catalogue')
