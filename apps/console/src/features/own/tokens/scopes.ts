import type { TokenScope } from '@weft/contract/access/tokens/api'
import { ACTIONS, SUBJECTS, type Action, type Subject } from '@weft/contract/core/permissions'

/** What was chosen for a token, by subject. */
export type ChosenScopes = Readonly<Partial<Record<Subject, readonly Action[]>>>

/** What was chosen, as the call takes it. */
export function scopesOf(chosen: ChosenScopes): TokenScope[] {
  return SUBJECTS.flatMap((subject) => {
    const actions = ACTIONS.filter((action) => chosen[subject]?.includes(action))
    return actions.length > 0 ? [{ subject, actions }] : []
  })
}

/** With one action more or less. */
export function toggled(chosen: ChosenScopes, subject: Subject, action: Action, on: boolean): ChosenScopes {
  const rest = (chosen[subject] ?? []).filter((one) => one !== action)
  return { ...chosen, [subject]: on ? [...rest, action] : rest }
}
