import type { WorkflowSettings } from '@weft/workflow/document'
import type { Choices, Conflict } from './conflict.ts'
import { same } from './same.ts'

/** One of the three versions of a thing, and whether both changed it in different ways. */
export function pick<T>(base: T, mine: T, theirs: T): { value: T; clash: boolean } {
  if (same(mine, theirs) || same(base, theirs)) return { value: mine, clash: false }
  if (same(base, mine)) return { value: theirs, clash: false }
  return { value: mine, clash: true }
}

/** Merges lists of named things, such as inputs, in the order of mine with theirs after. */
export function mergeNamed<T extends { name: string }>(
  options: { base: readonly T[]; mine: readonly T[]; theirs: readonly T[]; choices: Choices },
  conflictOf: (name: string, mine: T | null, theirs: T | null) => Conflict,
): { list: T[]; conflicts: Conflict[] } {
  const { base, mine, theirs, choices } = options
  const conflicts: Conflict[] = []
  const find = (list: readonly T[], name: string) => list.find((entry) => entry.name === name) ?? null
  const names = new Set([...mine, ...theirs].map(({ name }) => name))
  const list = [...names].flatMap((name) => {
    const [own, other] = [find(mine, name), find(theirs, name)]
    const picked = pick(find(base, name), own, other)
    let { value } = picked
    if (picked.clash) {
      const conflict = conflictOf(name, own, other)
      conflicts.push(conflict)
      if (choices[conflict.key] === 'theirs') value = other
    }
    return value === null ? [] : [value]
  })
  return { list, conflicts }
}

/** Merges the settings one by one. */
export function mergeSettings(
  base: WorkflowSettings,
  mine: WorkflowSettings,
  theirs: WorkflowSettings,
  choices: Choices,
): { settings: WorkflowSettings; conflicts: Conflict[] } {
  const conflicts: Conflict[] = []
  const choose = <K extends keyof WorkflowSettings>(name: K): WorkflowSettings[K] => {
    const picked = pick(base[name], mine[name], theirs[name])
    if (!picked.clash) return picked.value
    const key = `setting:${name}`
    conflicts.push({ kind: 'setting', key, name, mine: mine[name], theirs: theirs[name] })
    return choices[key] === 'theirs' ? theirs[name] : mine[name]
  }
  const settings: WorkflowSettings = {
    timeLimitSeconds: choose('timeLimitSeconds'),
    maxAttempts: choose('maxAttempts'),
    traceOn: choose('traceOn'),
  }
  return { settings, conflicts }
}
