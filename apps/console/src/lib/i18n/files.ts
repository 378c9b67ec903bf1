import type { LanguageCode } from './languages.ts'

type Load = () => Promise<object>

const files = import.meta.glob<object>(
  ['../../features/*/i18n/*.json', '../../kit/i18n/*.json', '../../kit/*/i18n/*.json'],
  { import: 'default' },
)
const catalogue: Record<LanguageCode, Load> = {
  en: async () => (await import('@weft/workflow/catalogue/i18n/en.json')).default,
  fr: async () => (await import('@weft/workflow/catalogue/i18n/fr.json')).default,
  ar: async () => (await import('@weft/workflow/catalogue/i18n/ar.json')).default,
}

/** What loads the texts of a namespace in a language; undefined where it has none. */
export function textFile(namespace: string, code: LanguageCode): Load | undefined {
  if (namespace === 'catalogue') return catalogue[code]
  // Parts of the kit that are loaded later have texts of their own, such as `kit/list`.
  const folder = /^kit(\/|$)/.test(namespace) ? namespace : `features/${namespace}`
  return files[`../../${folder}/i18n/${code}.json`]
}
