import { Ability, fieldPatternMatcher } from '@casl/ability'
import { ANONYMOUS_RULES, type Rule } from '@weft/contract/core/permissions'
import { isOperators, type Conditions, type Scalar } from './access-conditions.ts'
import { matcherOf, Tagged } from './access-match.ts'
import { scopeOf } from './access-sql.ts'
import type { Decisions } from './context.ts'

/**
 * Decides by one person's rules, for a record in memory and for rows in SQL, from the same conditions. `${user.id}` in
 * a condition is that person's id. What anybody may do is always among the rules.
 */
export function decisionsFor(rules: readonly Rule[], userId: string | null): Decisions {
  const filled = effectiveRules(rules, userId)
  const ability = new Ability<[string, string | Tagged], Conditions>(filled, {
    conditionsMatcher: matcherOf,
    fieldMatcher: fieldPatternMatcher,
    detectSubjectType: (subject: Tagged) => subject.type,
  })
  const settled = new Map<string, Map<string, boolean | null>>()
  // Where the first rule that is asked has no conditions, the answer is the same for every record.
  const settledFor = (action: string, subject: string, field: string | undefined) => {
    const name = field === undefined ? action : `${action} ${field}`
    const ofSubject = settled.get(subject) ?? new Map<string, boolean | null>()
    const known = ofSubject.get(name)
    if (known !== undefined) return known
    const [first] = ability.rulesFor(action, subject, field === '' ? undefined : field)
    const decided = first === undefined ? false : first.conditions ? null : !first.inverted
    settled.set(subject, ofSubject.set(name, decided))
    return decided
  }
  return {
    can: (action, subject, record, field) =>
      record
        ? (settledFor(action, subject, field) ?? ability.can(action, new Tagged(subject, record), field))
        : ability.can(action, subject, field),
    scope: (action, subject, columns) => scopeOf(ability, action, subject, columns),
  }
}

/** A person's rules with what anybody may do, the conditions filled with that person's id. */
export function effectiveRules(rules: readonly Rule[], userId: string | null): Rule[] {
  return [...ANONYMOUS_RULES, ...rules].map((rule) => ({
    ...rule,
    ...(rule.conditions ? { conditions: fillConditions(rule.conditions, userId) } : {}),
  }))
}

function fillConditions(conditions: Conditions, userId: string | null): Conditions {
  // Nobody's id equals nothing: what has no owner is not theirs.
  const fill = (value: Scalar): Scalar => (value === '${user.id}' && userId !== null ? userId : value)
  return Object.fromEntries(
    Object.entries(conditions).map(([field, condition]) => [
      field,
      isOperators(condition)
        ? Object.fromEntries(
            Object.entries(condition).map(([operator, value]) => [
              operator,
              Array.isArray(value) ? value.map(fill) : fill(value),
            ]),
          )
        : fill(condition),
    ]),
  )
}
