import type { z } from 'zod'
import { definitionOf } from '../catalogue/catalogue.ts'
import type { Activity } from '../document.ts'
import { StepError } from '../errors.ts'
import { bareExpression } from '../expressions.ts'
import type { Reference, ScopeRoot } from '../expressions.ts'
import type { Json, JsonObject } from '../json.ts'
import { readState } from '../state-values.ts'
import { neededScope } from './needed-scope.ts'
import { answerOfPaths } from './plain-paths.ts'
import type { Frame, Run } from './run.ts'
import { throwIfStopped } from './signals.ts'
import type { EvaluateRequest } from './types.ts'

/** Resolves what an author stored to what a runner needs: every template and expression is evaluated once, now. */
export async function resolveState(
  run: Run,
  frame: Frame,
  activity: Activity,
  options: { later?: string[] } = {},
): Promise<JsonObject> {
  const fields = (definitionOf(activity.type)?.fields ?? []).filter(
    ({ name }) => !options.later?.includes(name),
  )
  const { values, dynamic, broken } = readState(fields, activity.state)
  const [first] = broken
  if (first) {
    throw new StepError('ExpressionError', `The template in "${first.path}" is not closed or empty.`, {
      params: { code: first.code, path: first.path },
    })
  }
  if (dynamic.length === 0) return values
  const results = await evaluateAll(
    run,
    frame,
    dynamic.map(({ source }) => source),
    dynamic.map(({ path }) => path),
  )
  dynamic.forEach(({ put }, index) => put(results[index] ?? null))
  return values
}

/** Evaluates one plain expression of a state, such as the condition of a loop. */
export async function evaluateExpression(
  run: Run,
  frame: Frame,
  expression: string,
  path: string,
): Promise<Json> {
  const request = { kind: 'expression' as const, expression: bareExpression(expression) }
  const [value] = await evaluateAll(run, frame, [request], [path])
  return value ?? null
}

/** Checks resolved values against the schema of their type. */
export function parseInput<S extends z.ZodType>(schema: S, values: JsonObject): z.output<S> {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  const [first] = issues
  throw new StepError(
    'InputInvalid',
    `The step's "${first?.path ?? ''}" is not right: ${first?.message ?? ''}`,
    {
      params: { issues },
    },
  )
}

async function evaluateAll(
  run: Run,
  frame: Frame,
  requests: EvaluateRequest[],
  paths: string[],
): Promise<Json[]> {
  const whole = wholeScope(run, frame)
  const answers = new Map<number, Json>()
  const open: { index: number; request: EvaluateRequest }[] = []
  requests.forEach((request, index) => {
    const found = answerOfPaths(whole, request)
    if (found === undefined) open.push({ index, request })
    else answers.set(index, found)
  })
  if (open.length > 0) {
    const asked = open.map(({ request }) => request)
    const { scope, references } = neededScope(whole, asked)
    scope['secrets'] = await secretsFor(run, references)
    const results = await run.shared.options.evaluate(asked, scope, frame.signal)
    open.forEach(({ index }, at) => {
      const result = results[at]
      if (result?.ok) {
        answers.set(index, result.value)
        return
      }
      throwIfStopped(frame.signal)
      const path = paths[index] ?? ''
      throw new StepError('ExpressionError', `"${path}": ${result?.message ?? 'no answer'}`, {
        params: { code: result?.code ?? 'expression.error', path },
      })
    })
  }
  return requests.map((_, index) => answers.get(index) ?? null)
}

function wholeScope(run: Run, frame: Frame): Record<ScopeRoot, JsonObject | null> {
  const { bindings } = run.shared.options
  return {
    inputs: run.inputs,
    vars: run.vars,
    steps: run.steps,
    item: bindings.item ?? {},
    run: { ...bindings.run, now: new Date(run.shared.clock.now()).toISOString() },
    loop: frame.loop,
    error: frame.error,
    project: bindings.project ?? {},
    secrets: {},
  }
}

async function secretsFor(run: Run, references: Reference[]): Promise<JsonObject> {
  const { secrets, options } = run.shared
  const found: JsonObject = {}
  for (const { root, path } of references) {
    const [name] = path
    if (root !== 'secrets' || name === undefined) continue
    if (!options.loadSecret) {
      throw new StepError('ResourceMissing', `There is no secret "${name}" here.`, {
        params: { secret: name },
      })
    }
    const known = secrets.get(name) ?? options.loadSecret(name)
    secrets.set(name, known)
    found[name] = await known
  }
  return found
}
