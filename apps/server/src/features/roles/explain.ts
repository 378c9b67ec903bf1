import type { Action, Rule, Subject } from '@weft/contract/core/permissions'
import type { Explanation } from '@weft/contract/roles/schema'
import { decisionsFor } from '../../kit/access.ts'
import { actionsOf, subjectsOf } from '../access/bounds.ts'
import { isAdministrator, rulesInLine, rulesOf, type Member } from '../access/line.ts'

/** What is asked: one action on one function, perhaps for one record. */
export interface Asked {
  action: Action
  subject: Subject
  record?: object | undefined
}

/** Says whether the first of a line may do something, and which rule of which role decided. */
export function explain(
  line: readonly Member[],
  asked: Asked,
  roleNames: ReadonlyMap<string, string>,
): Explanation {
  const [person, ...above] = line
  const nothing = { allowed: false, partly: false, decidedBy: null, above: null }
  if (asked.subject === 'AUTH' && asked.action === 'VIEW')
    return { ...nothing, allowed: true, reason: 'everybody' }
  if (!person?.active) return { ...nothing, reason: 'suspended' }
  const decisive = decidingRule(person, asked)
  const decidedBy = decisive && { ...decisive, roleName: roleNames.get(decisive.role) ?? decisive.role }
  if (!decidedBy) {
    const some = person.roles.some((one) => rulesFor(rulesOf([one]), asked).some((rule) => !rule.inverted))
    return { ...nothing, reason: some && asked.record ? 'not_this_record' : 'no_rule' }
  }
  if (decidedBy.rule.inverted) return { ...nothing, reason: 'forbidden', decidedBy }
  if (!isAdministrator(person.roles) && person.off.includes(asked.subject))
    return { ...nothing, reason: 'function_off', decidedBy }
  if (!may(rulesInLine(line), person.id, asked)) {
    const who = above.find((one) => !one.active || !mayByRoles(one, asked))
    return { ...nothing, reason: 'above', decidedBy, above: who?.username ?? null }
  }
  const { conditions, fields } = decidedBy.rule
  const partly = asked.record === undefined && (conditions !== undefined || fields !== undefined)
  return { ...nothing, allowed: true, partly, reason: 'rule', decidedBy }
}

/** The last rule that fits decides; of those without conditions on a record, any that allows something. */
function decidingRule(person: Member, asked: Asked): { role: string; rule: Rule } | null {
  const tagged = person.roles.flatMap((one) => rulesOf([one]).map((rule) => ({ role: one.key, rule })))
  const about = tagged.filter(({ rule }) => rulesFor([rule], asked).length > 0).toReversed()
  if (asked.record !== undefined) return about.find(({ rule }) => fits(rule, person.id, asked)) ?? null
  const decisive = about.find(({ rule }) => !rule.inverted || (!rule.conditions && !rule.fields)) ?? null
  if (!decisive || decisive.rule.inverted) return decisive
  // Of several that allow, the widest says most.
  const whole = about.find(({ rule }) => !rule.inverted && !rule.conditions && !rule.fields)
  return whole && about.slice(0, about.indexOf(whole)).every(({ rule }) => !rule.inverted) ? whole : decisive
}

function rulesFor(rules: readonly Rule[], { action, subject }: Asked): Rule[] {
  return rules.filter((rule) => actionsOf(rule).includes(action) && subjectsOf(rule).includes(subject))
}

/** Whether a rule speaks about the record that is asked about. */
function fits(rule: Rule, userId: string, asked: Asked): boolean {
  if (rule.inverted && rule.fields) return false
  const { inverted: _inverted, fields: _fields, ...plain } = rule
  return may([plain], userId, asked)
}

function may(rules: readonly Rule[], userId: string, { action, subject, record }: Asked): boolean {
  return decisionsFor(rules, userId).can(action, subject, record)
}

/** Conditions of those above are about their own records: whether they hold the right at all is what counts here. */
function mayByRoles(member: Member, { action, subject }: Asked): boolean {
  return decisionsFor(rulesOf(member.roles), member.id).can(action, subject)
}
