import { useMemo } from 'react'
import { useCatalogueText } from '../../lib/i18n/catalogue.ts'
import { textsOf } from '../../lib/i18n/texts.ts'
import type { ActivityRow } from '@weft/contract/activities/schema'
import type en from './i18n/en.json'

/** Texts of the catalogue's pages. */
export const useT = textsOf<typeof en>('activities')

/** What an activity is called and what it does: a custom one by its own words, the others by the catalogue's. */
export function useActivityWords() {
  const catalogue = useCatalogueText()
  return useMemo(
    () => ({
      titleOf: ({ name, id }: Pick<ActivityRow, 'name' | 'id'>) =>
        name ?? catalogue(`activities.${id}.title`),
      descriptionOf: ({ name, description, id }: Pick<ActivityRow, 'name' | 'description' | 'id'>) =>
        name === null ? catalogue(`activities.${id}.description`) : (description ?? ''),
    }),
    [catalogue],
  )
}
