import type en from './i18n/en.json'
import { textsOf } from '../../lib/i18n/texts.ts'

/** Texts of what people do together in a workflow: who is there, and what they say. */
export const useT = textsOf<typeof en>('together')
