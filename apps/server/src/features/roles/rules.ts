import type { FieldError } from '@weft/contract/core/errors'
import type { Rule } from '@weft/contract/core/permissions'
import { AppError } from '../../kit/app-error.ts'
import { comparisons } from '../../kit/access-conditions.ts'
import type { CallContext } from '../../kit/context.ts'
import { subjectsOf } from '../access/bounds.ts'
import { isBeyond } from '../access/within.ts'
import { catalogueOf } from './catalogue.ts'
import type { Endpoint } from '@weft/contract/core/endpoint'

const PLACEHOLDER = '${user.id}'

/**
 * Refuses rules that nobody could follow: conditions on fields that a function's records do not have, limits to fields
 * that cannot be changed; and rules that allow what the caller may not do.
 */
export async function checkRules(
  ctx: Pick<CallContext, 'tx' | 'user'>,
  endpoints: readonly Endpoint[],
  rules: readonly Rule[],
): Promise<void> {
  const catalogue = new Map((await catalogueOf(ctx.tx, endpoints)).map((entry) => [entry.subject, entry]))
  const errors: FieldError[] = rules.flatMap((rule, at) => {
    const subjects = rule.subject === 'all' ? [] : subjectsOf(rule)
    const unknown = (path: string, field: string): FieldError => ({
      path: `rules.${at}.${path}`,
      code: 'role.unknown_field',
      message: 'There is no such field',
      params: { field },
    })
    const knows = (field: string) =>
      rule.subject === 'all'
        ? field === 'ownerId' || field === 'createdBy'
        : subjects.every((one) => catalogue.get(one)?.conditions.some(({ name }) => name === field) === true)
    const wrong = Object.keys(rule.conditions ?? {}).filter((field) => !knows(field))
    const fields = (rule.fields ?? []).filter(
      (field) => !subjects.every((one) => catalogue.get(one)?.fields.includes(field) === true),
    )
    return [
      ...wrong.map((field) => unknown(`conditions.${field}`, field)),
      ...fields.map((field) => unknown('fields', field)),
      ...placeholders(rule).map((field) => unknown(`conditions.${field}`, field)),
      ...(rule.fields?.length === 0 ? [unknown('fields', '')] : []),
    ]
  })
  if (errors.length > 0) throw new AppError('request.invalid', {}, { errors })
  rules.forEach((rule, at) => {
    if (!isBeyond([rule], ctx.user.rules)) return
    const code = 'role.rule_beyond_own'
    throw new AppError(code, {}, { errors: [{ path: `rules.${at}`, code, message: 'More than your own' }] })
  })
}

/** Fields compared with something in braces that is not filled. */
function placeholders(rule: Rule): string[] {
  return comparisons(rule.conditions ?? {}).flatMap(({ field, value }) => {
    const values = Array.isArray(value) ? value : [value]
    const odd = values.some((one) => typeof one === 'string' && one.includes('${') && one !== PLACEHOLDER)
    return odd ? [field] : []
  })
}
