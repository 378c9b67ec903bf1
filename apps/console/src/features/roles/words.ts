import type { Action, Rule, Subject } from '@weft/contract/core/permissions'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { firstText, text } from '../../lib/i18n/texts.ts'
import { OWN, type Grant } from './model/cells.ts'

/** What a function is called. */
export function functionName(subject: Subject): string {
  return text(`kit:rights.subjects.${subject}`)
}

/** What an action is called. */
export function actionName(action: Action): string {
  return text(`roles:verbs.${action}`)
}

/** Where the words of a function's fields are. */
const FEATURES: Partial<Record<Subject, string>> = {
  CLIENT: 'clients',
  ACCOUNT: 'accounts',
  PROFILE: 'profiles',
  PHONE: 'phones',
  PROXY: 'proxies',
  VIDEO: 'videos',
  CAMPAIGN: 'campaigns',
  WORKFLOW: 'workflows',
  PROJECT: 'projects',
  USER: 'users',
  ROLE: 'roles',
}

/** What a field of a function's records is called. */
export function fieldName(subject: Subject, field: string): string {
  return firstText([`roles:fieldNames.${field}`]) ?? fieldLabel(FEATURES[subject] ?? 'kit', field)
}

/** A value of a condition in words. */
export function valueName(subject: Subject, field: string, value: unknown): string {
  if (value === null) return text('roles:words.nothing')
  if (value === '${user.id}') return text('roles:words.oneself')
  if (typeof value === 'boolean') return text(value ? 'roles:words.true' : 'roles:words.false')
  if (typeof value !== 'string') return JSON.stringify(value)
  return (
    firstText([`${FEATURES[subject] ?? 'kit'}:options.${field}.${value}`, `kit:status.${value}`]) ?? value
  )
}

type Condition = NonNullable<Rule['conditions']>[string]

/** What a rule asks for, in words; empty for all records and fields. */
export function grantWords(subject: Subject, { conditions, fields }: Grant): string[] {
  const words: string[] = []
  if (conditions && JSON.stringify(conditions) === JSON.stringify(OWN)) words.push(text('roles:words.own'))
  else
    for (const [field, condition] of Object.entries(conditions ?? {}))
      words.push(...conditionWords(subject, field, condition))
  if (fields) {
    const names = fields.map((field) => fieldName(subject, field)).join(', ')
    words.push(text('roles:words.fields', { fields: names }))
  }
  return words
}

function conditionWords(subject: Subject, field: string, condition: Condition): string[] {
  const name = fieldName(subject, field)
  const one = (value: unknown) => valueName(subject, field, value)
  if (condition === null || typeof condition !== 'object')
    return [text('roles:words.is', { field: name, value: one(condition) })]
  return Object.entries(condition).map(([operator, value]) => {
    const list = Array.isArray(value) ? value.map(one).join(', ') : one(value)
    return text(`roles:words.${operator.slice(1)}`, { field: name, value: list })
  })
}
