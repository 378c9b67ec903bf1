import { textsOf } from '../../lib/i18n/texts.ts'
import type en from './i18n/en.json'

/** Texts of what opens beside a list; they come with it. */
export const useListText = textsOf<typeof en>('kit/list')
