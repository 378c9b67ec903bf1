import { firstText, textsOf } from '../../lib/i18n/texts.ts'
import type en from './i18n/en.json'

/** Texts of campaigns and their items. */
export const useT = textsOf<typeof en>('campaigns')

/** The words of a machine's code, such as `plan.no_partner`; undefined where there are none. */
export function codeText(code: string, params?: Record<string, string | number | null>): string | undefined {
  return firstText([`campaigns:${code}`], params)
}
