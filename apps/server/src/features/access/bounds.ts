import { ACTIONS, SUBJECTS, type Action, type Rule, type Subject } from '@weft/contract/core/permissions'
import type { Condition, Conditions, Scalar } from '../../kit/access-conditions.ts'
import { isOperators } from '../../kit/access-conditions.ts'

/**
 * What both sets of rules allow. `${user.id}` stays what it is: "own records" of the one above and "own records" of the
 * one below are the same right, each over their own. What either forbids stays forbidden.
 */
export function intersectRules(rules: readonly Rule[], bound: readonly Rule[]): Rule[] {
  const allowing = bound.filter(({ inverted }) => inverted !== true)
  const forbidding = bound.filter(({ inverted }) => inverted === true)
  const both = rules.flatMap((rule) =>
    rule.inverted ? [rule] : allowing.flatMap((other) => intersectRule(rule, other)),
  )
  return [...withoutRepeats(both), ...forbidding]
}

/** Rules without all that they allow of some subjects. */
export function withoutSubjects(rules: readonly Rule[], gone: ReadonlySet<Subject>): Rule[] {
  if (gone.size === 0) return [...rules]
  return rules.flatMap((rule) => {
    if (rule.inverted) return [rule]
    const left = subjectsOf(rule).filter((subject) => !gone.has(subject))
    return left.length === 0 ? [] : [{ ...rule, subject: left }]
  })
}

/** The actions of a rule. */
export function actionsOf({ action }: Rule): readonly Action[] {
  return Array.isArray(action) ? action.filter((one) => ACTIONS.includes(one)) : [action]
}

/** The subjects of a rule; `all` is each of them. */
export function subjectsOf({ subject }: Rule): readonly Subject[] {
  return subject === 'all' ? SUBJECTS : Array.isArray(subject) ? subject : [subject]
}

function intersectRule(one: Rule, other: Rule): Rule[] {
  const theirs = new Set(actionsOf(other))
  const action = actionsOf(one).filter((each) => theirs.has(each))
  const subject = commonSubjects(one, other)
  const conditions = bothConditions(one.conditions, other.conditions)
  const fields = commonFields(one.fields, other.fields)
  if (action.length === 0 || subject.length === 0 || conditions === null || fields?.length === 0) return []
  return [
    {
      action,
      subject: subject === SUBJECTS ? 'all' : [...subject],
      ...(conditions ? { conditions } : {}),
      ...(fields ? { fields } : {}),
    },
  ]
}

function commonSubjects(one: Rule, other: Rule): readonly Subject[] {
  if (one.subject === 'all' && other.subject === 'all') return SUBJECTS
  const theirs = new Set(subjectsOf(other))
  return subjectsOf(one).filter((each) => theirs.has(each))
}

function commonFields(one: string[] | undefined, other: string[] | undefined): string[] | undefined {
  if (!one || !other) return one ?? other
  return one.filter((field) => other.includes(field))
}

/** Conditions that hold where both do; null where that cannot be said, which then allows nothing. */
function bothConditions(
  one: Conditions | undefined,
  other: Conditions | undefined,
): Rule['conditions'] | undefined | null {
  if (!one || !other) return one ?? other
  const both: Record<string, Condition> = { ...one }
  for (const [field, condition] of Object.entries(other)) {
    const mine = both[field]
    const joined = mine === undefined ? condition : bothOf(mine, condition)
    if (joined === null) return null
    both[field] = joined
  }
  return both
}

type Operators = Exclude<Condition, Scalar>

function bothOf(one: Condition, other: Condition): Condition | null {
  if (JSON.stringify(one) === JSON.stringify(other)) return one
  const [a, b] = [operatorsOf(one), operatorsOf(other)]
  const joined: Operators = { ...a, ...b }
  if (a.$in && b.$in) joined.$in = a.$in.filter((value) => b.$in?.includes(value))
  // A rule that can fit nothing is none.
  if (joined.$in?.length === 0) return null
  if (a.$nin && b.$nin) joined.$nin = [...new Set([...a.$nin, ...b.$nin])]
  for (const order of ['$lt', '$lte', '$gt', '$gte'] as const)
    if (a[order] !== undefined && b[order] !== undefined && a[order] !== b[order]) return null
  return joined
}

/** A comparison as lists, of which two can be joined. */
function operatorsOf(condition: Condition): Operators {
  if (!isOperators(condition)) return { $in: [condition] }
  const { $eq, $ne, ...others } = condition
  const equal = $eq === undefined ? others.$in : (others.$in ?? [$eq]).filter((value) => value === $eq)
  const unequal = $ne === undefined ? others.$nin : [...(others.$nin ?? []), $ne]
  return { ...others, ...(equal ? { $in: equal } : {}), ...(unequal ? { $nin: unequal } : {}) }
}

function withoutRepeats(rules: readonly Rule[]): Rule[] {
  const seen = new Set<string>()
  return rules.filter((rule) => {
    // Of two that are the same the first is enough, unless something is forbidden between them.
    const key = JSON.stringify(rule)
    if (rule.inverted) seen.clear()
    else if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
