import { isJsonObject } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { LONGEST_HOLD_SECONDS } from '../question.ts'
import { defineActivity } from './activity.ts'
import {
  duration,
  expression,
  keyedList,
  number,
  optional,
  options,
  pairs,
  select,
  template,
  text,
  value,
  withDefault,
  workflowRef,
} from './field.ts'

/** The rows of a keyed list as they stand in a state that may still be wrong. */
function rowsOf(state: JsonObject, name: string): { key: string; name: string }[] {
  const rows = state[name]
  if (!Array.isArray(rows)) return []
  return rows.flatMap((row) => {
    if (!isJsonObject(row) || typeof row['key'] !== 'string') return []
    const label = row['name'] ?? row['equals'] ?? row['key']
    return [{ key: row['key'], name: typeof label === 'string' && label !== '' ? label : row['key'] }]
  })
}

/** Goes one way or the other. */
export const condition = defineActivity({
  type: 'condition',
  category: 'flow',
  icon: 'IconArrowsSplit2',
  fields: { condition: expression({ shared: 'condition', help: true }) },
  outputs: { result: 'boolean' },
  bodies: () => [{ name: 'true' }, { name: 'false' }],
  timeLimitSeconds: 5,
  sideEffect: 'none',
  browser: false,
})

/** Goes the way whose value fits. */
export const switchCase = defineActivity({
  type: 'switch',
  category: 'flow',
  icon: 'IconSwitch3',
  fields: {
    value: value(),
    cases: keyedList({ equals: template(), name: optional(text()) }, { min: 1, max: 50 }),
  },
  outputs: { case: 'text' },
  bodies: (state) => [
    ...rowsOf(state, 'cases').map(({ key, name }) => ({
      name: `case:${key}`,
      label: 'case',
      labelParams: { name },
    })),
    { name: 'default' },
  ],
  timeLimitSeconds: 5,
  sideEffect: 'none',
  browser: false,
})

/** Does its body once for each entry of a list, one after another. */
export const forEach = defineActivity({
  type: 'for-each',
  category: 'flow',
  icon: 'IconRepeat',
  fields: {
    items: expression({ help: true }),
    maxTimes: withDefault(number({ ...options, min: 1, max: 100_000, help: true }), 10_000),
  },
  outputs: { count: 'number' },
  bodies: () => [{ name: 'body' }],
  timeLimitSeconds: 5,
  sideEffect: 'none',
  browser: false,
})

/** Does its body until a condition holds, but only so many times. */
export const repeatUntil = defineActivity({
  type: 'repeat-until',
  category: 'flow',
  icon: 'IconRefresh',
  fields: {
    condition: expression({ shared: 'condition', help: true }),
    maxTimes: number({ min: 1, max: 10_000 }),
    delaySeconds: withDefault(duration({ ...options, max: 3600 }), 0),
    onLimit: withDefault(select(['fail', 'continue'], options), 'fail'),
  },
  outputs: { count: 'number', met: 'boolean' },
  bodies: () => [{ name: 'body' }],
  timeLimitSeconds: 5,
  sideEffect: 'none',
  browser: false,
})

/** Does several bodies at the same time. */
export const parallel = defineActivity({
  type: 'parallel',
  category: 'flow',
  icon: 'IconArrowsSplit',
  fields: { branches: keyedList({ name: optional(text()) }, { min: 1, max: 10 }) },
  bodies: (state) =>
    rowsOf(state, 'branches').map(({ key, name }) => ({
      name: `branch:${key}`,
      label: 'branch',
      labelParams: { name },
    })),
  timeLimitSeconds: 5,
  sideEffect: 'none',
  browser: false,
})

/** Does its body; where a step fails, goes on in another instead of failing; and always tidies up. */
export const tryCatch = defineActivity({
  type: 'try-catch',
  category: 'flow',
  icon: 'IconLifebuoy',
  fields: {},
  outputs: { failed: 'boolean', error: 'object' },
  bodies: () => [{ name: 'try' }, { name: 'catch' }, { name: 'finally' }],
  timeLimitSeconds: 5,
  sideEffect: 'none',
  browser: false,
})

/** Runs another workflow within this run and takes its results. */
export const callWorkflow = defineActivity({
  type: 'call-workflow',
  category: 'flow',
  icon: 'IconSubtask',
  fields: {
    workflowId: workflowRef(),
    release: optional(number({ min: 1, dynamic: false, help: true })),
    inputs: optional(pairs({ help: true })),
  },
  outputs: { outputs: 'object' },
  timeLimitSeconds: 600,
  sideEffect: 'none',
  browser: false,
})

/** The type of a step that is one of a custom activity; which one, and of which version, stands in its state. */
export const CUSTOM_ACTIVITY = 'custom-activity'

/** Runs the steps that a custom activity is made of, with values for its parameters. */
export const customActivity = defineActivity({
  type: CUSTOM_ACTIVITY,
  category: 'flow',
  icon: 'IconPuzzle',
  fields: {
    activityId: workflowRef(),
    version: number({ min: 1, dynamic: false }),
    inputs: optional(pairs({ help: true })),
  },
  outputs: { outputs: 'object' },
  timeLimitSeconds: 600,
  sideEffect: 'none',
  browser: false,
})

/** Waits for a while. */
export const delay = defineActivity({
  type: 'delay',
  category: 'flow',
  icon: 'IconClockPause',
  fields: { seconds: duration({ max: LONGEST_HOLD_SECONDS }) },
  timeLimitSeconds: LONGEST_HOLD_SECONDS,
  sideEffect: 'none',
  browser: false,
})
