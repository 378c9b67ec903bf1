import { firstText, readable, type Params } from './texts.ts'

/** What a feature calls one of its fields; the kit knows the common ones. */
export function fieldLabel(feature: string, name: string): string {
  return (
    firstText([
      `${feature}:fields.${name}`,
      // A field that is also a group of fields keeps its own name under `_`.
      `${feature}:fields.${name}._`,
      `kit:fields.${name}`,
    ]) ?? readable(name)
  )
}

/** Help or placeholder of a field, if the feature has one. */
export function fieldText(kind: 'help' | 'placeholder', feature: string, name: string): string | undefined {
  return firstText([`${feature}:${kind}.${name}`])
}

/** The words of one value of an enum. */
export function optionLabel(feature: string, field: string, value: string): string {
  return firstText([`${feature}:options.${field}.${value}`, `kit:status.${value}`]) ?? readable(value)
}

/** What an action is called. */
export function actionLabel(feature: string, id: string): string {
  return firstText([`${feature}:actions.${id}`, `kit:actions.${id}`]) ?? readable(id)
}

/** What one record of a feature is called in a sentence. */
export function nounOf(feature: string): string {
  return firstText([`${feature}:one`]) ?? readable(feature).toLowerCase()
}

/** The same as it stands after "create", with its article where the language wants one. */
export function aNounOf(feature: string): string {
  return firstText([`${feature}:aOne`]) ?? nounOf(feature)
}

/** What many of its records are called in a sentence: the words of its page's title, which begin one there. */
export function nounsOf(feature: string): string {
  const title = firstText([`${feature}:title`])
  return title === undefined ? nounOf(feature) : title.charAt(0).toLowerCase() + title.slice(1)
}

/** What an error code says; the server's own English where the console has no words for it. */
export function errorText(code: string, params?: Params, fallback?: string): string {
  return (
    firstText([`errors:${code}`], named(params)) ?? fallback ?? firstText(['errors:system.failed']) ?? code
  )
}

/** Params with the kind of record that one of them names in words. */
function named(params: Params | undefined): Params | undefined {
  const what = params?.['what']
  return typeof what === 'string' ? { ...params, what: firstText([`kit:kinds.${what}`]) ?? what } : params
}

/** The words for what is known beyond the code: which record is in the way, what may be chosen, of what there is too much. */
function exactly(code: string, params: Params): string | undefined {
  if (code === 'record.duplicate' && params['name']) return 'duplicateOf'
  // More than a line of them is no help.
  if (code === 'option' && /^.{1,120}$/.test(String(params['options'] ?? ''))) return 'optionOf'
  if (code === 'too_long' && params['of'] === 'string') return 'longText'
  const { format } = params
  return code === 'format' && (format === 'email' || format === 'url') ? format : undefined
}

/** What is wrong with a field. */
export function fieldErrorText(code: string, params?: Params, fallback?: string): string {
  const exact = params && exactly(code, params)
  return firstText([`errors:fields.${exact ?? code}`, `errors:${code}`], named(params)) ?? fallback ?? code
}
