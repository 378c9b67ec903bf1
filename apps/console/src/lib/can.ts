import { createMongoAbility, subject as withSubject, type MongoAbility } from '@casl/ability'
import type { Action, Rule, Subject } from '@weft/contract/core/permissions'
import { useMemo, useSyncExternalStore } from 'react'
import { currentRules } from './session/session.ts'
import { signedIn } from './session/session.ts'
import { rulesOf, type SignedInUser } from './session/state.ts'

export type ConsoleAbility = MongoAbility

/** Fills `${user.id}` and its like in a rule's conditions. */
export function fillConditions(rules: readonly Rule[], info: SignedInUser | null): Rule[] {
  const user = new Map<string, unknown>(Object.entries(info?.user ?? {}))
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(/\$\{user\.(\w+)\}/g, (_, name: string) => {
        const found = user.get(name)
        return typeof found === 'string' ? found : ''
      })
    if (Array.isArray(value)) return value.map(fill)
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]))
    return value
  }
  return rules.map((rule) =>
    rule.conditions ? { ...rule, conditions: fill(rule.conditions) as Rule['conditions'] } : rule,
  )
}

/** The ability of some rules; `all` stands for every subject. */
export function abilityOf(rules: readonly Rule[], info: SignedInUser | null): ConsoleAbility {
  return createMongoAbility(
    fillConditions(rules, info).map((rule) => ({ ...rule })),
    { anyAction: '*', anySubjectType: 'all' },
  )
}

let cached: { info: SignedInUser | null; ability: ConsoleAbility } | undefined

/** The ability that holds now. */
export function currentAbility(): ConsoleAbility {
  const info = signedIn.get()
  if (!cached || cached.info !== info) cached = { info, ability: abilityOf(currentRules(), info) }
  return cached.ability
}

/** Whether something may be done to a subject at all, or to one record. */
export function can(action: Action, subject: Subject, record?: object): boolean {
  return currentAbility().can(action, record ? withSubject(subject, { ...record }) : subject)
}

/** `can` for a component; it follows a change of rights. */
export function useCan(): (action: Action, subject: Subject, record?: object) => boolean {
  const info = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  return useMemo(() => {
    const ability = abilityOf(rulesOf(info), info)
    return (action, subject, record) =>
      ability.can(action, record ? withSubject(subject, { ...record }) : subject)
  }, [info])
}
