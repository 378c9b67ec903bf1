import { textsOf } from '../../lib/i18n/texts.ts'
import type en from './i18n/en.json'

/** Texts of this feature. */
export const useT = textsOf<typeof en>('trash')
