import { currentLanguage } from './languages.ts'

/** A name or a note within a sentence that runs from right to left: it keeps its own direction there. */
export function isolate(text: string): string {
  return currentLanguage.get().rtl ? `\u2068${text}\u2069` : text
}
