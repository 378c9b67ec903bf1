import type { TokenScope } from '@weft/contract/access/tokens/api'
import type { Action, Rule, Subject } from '@weft/contract/core/permissions'

/**
 * The part of somebody's rules that a token's scopes leave, in the same order. What the rules forbid stays forbidden; what
 * they allow is cut to the scopes, with its conditions and fields as they are. So a token never does what its person may not.
 */
export function narrowRules(rules: readonly Rule[], scopes: readonly TokenScope[]): Rule[] {
  return rules.flatMap((rule) => (rule.inverted ? [rule] : scopes.flatMap((scope) => cut(rule, scope))))
}

function cut(rule: Rule, { subject, actions }: TokenScope): Rule[] {
  const action = listOf(rule.action).filter((one) => actions.includes(one))
  return action.length > 0 && covers(rule.subject, subject) ? [{ ...rule, action, subject }] : []
}

function covers(subjects: Rule['subject'], subject: Subject): boolean {
  return subjects === 'all' || listOf(subjects).some((one) => one === subject)
}

function listOf<T extends Action | Subject | 'all'>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value]
}
