import { isolate } from '../../lib/i18n/isolate.ts'
import { currentLanguage } from '../../lib/i18n/languages.ts'

/** Names in a sentence, joined as the language does. */
export function namesOf(people: readonly { displayName: string }[]): string {
  const format = new Intl.ListFormat(currentLanguage.get().code, { type: 'conjunction' })
  return format.format(people.map(({ displayName }) => isolate(displayName)))
}
