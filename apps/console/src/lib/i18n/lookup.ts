import { localeOf, type LanguageCode } from './languages.ts'
import { numberText } from './numbers.ts'
import { wantTexts } from './wanted.ts'

/** Values for the placeholders of a text; `count` chooses the plural form. */
export type Params = Readonly<Record<string, string | number | boolean | null>>

/**
 * The texts of a language by namespace. A key is `namespace:path.to.text`; a plural has a text per form, named as the
 * language's plural rules name them (`chosen_one`, `chosen_other`); `{{name}}` stands for a value. This is all that the
 * console asks of a translation library, which would be a tenth of what the sign-in page weighs.
 */
const texts = new Map<LanguageCode, Map<string, object>>()
const rules = new Map<LanguageCode, Intl.PluralRules>()

/** Adds the texts of a namespace. */
export function addTexts(code: LanguageCode, namespace: string, bundle: object): void {
  const known = texts.get(code) ?? new Map<string, object>()
  known.set(namespace, bundle)
  texts.set(code, known)
}

/** The text of a key with its values filled in, or undefined where there is none. */
export function lookUp(code: LanguageCode, key: string, params: Params = {}): string | undefined {
  const at = key.indexOf(':')
  const namespace = key.slice(0, at)
  const bundle = texts.get(code)?.get(namespace)
  if (!bundle) wantTexts(namespace)
  const path = key.slice(at + 1)
  const { count } = params
  const found =
    typeof count === 'number'
      ? (pluralAt(code, bundle, path, count) ?? textAt(bundle, path))
      : textAt(bundle, path)
  return found === undefined ? undefined : fill(found, params, code)
}

function textAt(bundle: object | undefined, path: string): string | undefined {
  let value: unknown = bundle
  for (const part of path.split('.')) {
    if (value === null || typeof value !== 'object') return undefined
    value = Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined
  }
  return typeof value === 'string' ? value : undefined
}

/** None has a text of its own where the writer gave one, also in languages whose rules do not know it. */
function pluralAt(
  code: LanguageCode,
  bundle: object | undefined,
  path: string,
  count: number,
): string | undefined {
  const rule = rules.get(code) ?? new Intl.PluralRules(localeOf(code))
  rules.set(code, rule)
  const none = count === 0 ? textAt(bundle, `${path}_zero`) : undefined
  return none ?? textAt(bundle, `${path}_${rule.select(count)}`) ?? textAt(bundle, `${path}_other`)
}

function fill(text: string, params: Params, code: LanguageCode): string {
  if (!text.includes('{{')) return text
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => {
    const value = params[name]
    if (value === undefined || value === null) return value === null ? '' : whole
    return typeof value === 'number' ? numberText(value, code) : String(value)
  })
}
