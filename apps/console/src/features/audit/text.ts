import { firstText, readable, textsOf } from '../../lib/i18n/texts.ts'
import type en from './i18n/en.json'

/** Texts of this feature. */
export const useT = textsOf<typeof en>('audit')

/** What was done, in words: the thing, and what became of it. */
export function deedWords(label: string): string {
  const at = label.indexOf('.')
  const [thing, deed] = at < 0 ? ['installation', label] : [label.slice(0, at), label.slice(at + 1)]
  const things = firstText([`audit:things.${thing}`]) ?? readable(thing)
  const deeds = firstText([`audit:deeds.${deed}`]) ?? readable(deed)
  return firstText(['audit:deed'], { thing: things, deed: deeds }) ?? label
}
