import { textsOf } from '../../lib/i18n/texts.ts'
import type en from './i18n/en.json'

/** Texts of open browsers, wherever they are shown. */
export const useT = textsOf<typeof en>('live-browser')
