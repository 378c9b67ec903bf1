import { CATALOGUE, isActivityType } from '../catalogue/catalogue.ts'
import type { ActivityOutput, ResolvedInput } from '../catalogue/catalogue.ts'
import type { Activity } from '../document.ts'
import { StepError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { parseInput } from './resolve.ts'
import { asType, tell } from './run.ts'
import type { Frame, Run } from './run.ts'
import { builtinTypes } from './types.ts'
import type { IoActivityType, StepContext } from './types.ts'
import { waitFor } from './wait.ts'

type ContextWithoutType = Omit<StepContext, 'type'>

/** Does one attempt of a step that is no container and gives its output. */
export async function perform(
  run: Run,
  frame: Frame,
  activity: Activity,
  values: JsonObject,
  context: ContextWithoutType,
): Promise<unknown> {
  const { type } = activity
  switch (type) {
    case 'set-variable':
      return setVariable(run, parseInput(CATALOGUE[type].resolvedSchema, values))
    case 'transform':
      return { value: parseInput(CATALOGUE[type].resolvedSchema, values).expression }
    case 'delay': {
      const { seconds } = parseInput(CATALOGUE[type].resolvedSchema, values)
      const { signal, timeLimitSeconds: limitSeconds } = context
      await waitFor(run, frame, activity, { kind: 'time', seconds }, { signal, limitSeconds })
      return {}
    }
    case 'log': {
      const { level, message } = parseInput(CATALOGUE[type].resolvedSchema, values)
      await context.log(level, message)
      return {}
    }
    case 'notify': {
      const { severity, title, message } = parseInput(CATALOGUE[type].resolvedSchema, values)
      await tell(run, frame, activity, { kind: 'notify', severity, title, message: message ?? '' })
      return {}
    }
    case 'finish':
      return finishOutput(parseInput(CATALOGUE[type].resolvedSchema, values))
    case 'assert': {
      const input = parseInput(CATALOGUE[type].resolvedSchema, values)
      return input.subject === 'expression' ? assertExpression(input) : runOutside(run, type, values, context)
    }
    case 'wait-for': {
      const input = parseInput(CATALOGUE[type].resolvedSchema, values)
      return input.for === 'time'
        ? waitUntil(run, frame, activity, input, context)
        : runOutside(run, type, values, context)
    }
    default:
      if (isOutside(type)) return runOutside(run, type, values, context)
      throw new StepError('WorkflowInvalid', `There is no activity "${type}".`, { params: { type } })
  }
}

const isOutside = (type: string): type is IoActivityType =>
  isActivityType(type) && !(builtinTypes as readonly string[]).includes(type)

function runOutside<T extends IoActivityType>(
  run: Run,
  type: T,
  values: JsonObject,
  context: ContextWithoutType,
): Promise<ActivityOutput<T>> {
  const runner = run.shared.options.runners[type]
  // The catalogue's schema of a type gives exactly that type's input; the compiler cannot follow it through the index.
  const input = parseInput(CATALOGUE[type].resolvedSchema, values) as ResolvedInput<T>
  return runner(input, { ...context, type })
}

function setVariable(run: Run, { name, value }: ResolvedInput<'set-variable'>): JsonObject {
  const declared = run.document.variables.find((variable) => variable.name === name)
  if (!declared) {
    throw new StepError('InputInvalid', `There is no variable "${name}".`, { params: { variable: name } })
  }
  const typed = value === null ? null : asType(declared.type, value)
  if (typed === undefined) {
    throw new StepError('InputInvalid', `The variable "${name}" must be of type ${declared.type}.`, {
      params: { variable: name, type: declared.type },
    })
  }
  run.vars[name] = typed
  return { value: typed }
}

function finishOutput({ result, message, outputs }: ResolvedInput<'finish'>): JsonObject {
  if (result === 'failure') {
    throw new StepError('DeclaredFailure', message ?? 'The workflow says that it failed.', {
      params: { outputs: outputs ?? {} },
    })
  }
  return { outputs: outputs ?? {}, message: message ?? null }
}

function assertExpression({ condition, message }: ResolvedInput<'assert'>): JsonObject {
  if (!isTrue(condition)) {
    throw new StepError('AssertionFailed', message ?? 'The condition does not hold.', {
      params: { actual: condition ?? null },
    })
  }
  return { actual: condition ?? null }
}

async function waitUntil(
  run: Run,
  frame: Frame,
  activity: Activity,
  { until }: ResolvedInput<'wait-for'>,
  context: ContextWithoutType,
): Promise<JsonObject> {
  const at = Date.parse(until ?? '')
  if (!Number.isFinite(at)) {
    throw new StepError('InputInvalid', `"${until ?? ''}" is not a time.`, { params: { until: until ?? '' } })
  }
  const seconds = Math.max(0, at - run.shared.clock.now()) / 1000
  const { signal, timeLimitSeconds: limitSeconds } = context
  await waitFor(run, frame, activity, { kind: 'time', seconds }, { signal, limitSeconds })
  return { met: true }
}

/** What conditions take for true: as JavaScript does, but the text "false" is not. */
export function isTrue(value: unknown): boolean {
  return Boolean(value) && value !== 'false'
}
