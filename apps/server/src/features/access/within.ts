import type { Action, Rule, Subject } from '@weft/contract/core/permissions'
import { actionsOf, subjectsOf } from './bounds.ts'

/**
 * Whether rules allow anything that somebody's own rules do not. A grant counts as held only with the same conditions and
 * fields or with none, and not at all where one's own rules forbid something there: in doubt it is beyond.
 */
export function isBeyond(rules: readonly Rule[], own: readonly Rule[]): boolean {
  return rules.some(
    (rule) =>
      rule.inverted !== true &&
      actionsOf(rule).some((action) =>
        subjectsOf(rule).some((subject) => !isHeld(own, rule, action, subject)),
      ),
  )
}

function isHeld(own: readonly Rule[], wanted: Rule, action: Action, subject: Subject): boolean {
  const about = own.filter((rule) => actionsOf(rule).includes(action) && subjectsOf(rule).includes(subject))
  return !about.some((rule) => rule.inverted) && about.some((rule) => isAsWide(rule, wanted))
}

function isAsWide(rule: Rule, wanted: Rule): boolean {
  return (
    (rule.conditions === undefined || same(rule.conditions, wanted.conditions)) &&
    (rule.fields === undefined ||
      (wanted.fields?.every((field) => rule.fields?.includes(field) === true) ?? false))
  )
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
