import { useCatalogueText } from '../../lib/i18n/catalogue.ts'
import { firstText, readable, textsOf } from '../../lib/i18n/texts.ts'
import type en from './i18n/en.json'

/** Texts of runs. */
export const useT = textsOf<typeof en>('runs')

/** What types of steps are called, as the workflow editor calls them; the bare name of one that this console does not know. */
export function useActivityText(): (type: string) => string {
  // Waits for the texts.
  useCatalogueText()
  return (type) => firstText([`catalogue:activities.${type}.title`]) ?? type
}

/** What a class of error is called, such as `NavigationFailed`. */
export function errorClassText(name: string): string {
  return firstText([`runs:errorClass.${name}`]) ?? readable(name)
}
