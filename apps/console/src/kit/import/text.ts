import { textsOf } from '../../lib/i18n/texts.ts'
import type en from './i18n/en.json'

/** Texts of the import wizard; they come with it. */
export const useImportText = textsOf<typeof en>('kit/import')
