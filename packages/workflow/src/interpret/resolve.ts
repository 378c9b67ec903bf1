import type { z } from 'zod'
import { definitionOf } from '../catalogue/catalogue.ts'
import type { Activity } from '../document.ts'
import { StepError } from '../errors.ts'
import { bareExpression, findReferences } from '../expressions.ts'
import type { Reference, ScopeRoot } from '../expressions.ts'
import { isJsonObject } from '../json.ts'
import type { Json, JsonObject } from '../json.ts'
import { readState } from '../state-values.ts'
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
    const found = answerHere(whole, request)
    if (found === undefined) open.push({ index, request })
    else answers.set(index, found)
  })
  if (open.length > 0) {
    const scope = await neededScope(
      run,
      whole,
      open.map(({ request }) => request),
    )
    const results = await run.shared.options.evaluate(
      open.map(({ request }) => request),
      scope,
      frame.signal,
    )
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

/** The answer to a request that is made of plain paths only: most are, and need no trip to the sandbox. */
function answerHere(scope: Record<ScopeRoot, JsonObject | null>, request: EvaluateRequest): Json | undefined {
  if (request.kind === 'expression') return lookUp(scope, request.expression)
  let text = ''
  for (const part of request.parts) {
    const value = part.kind === 'text' ? part.text : lookUp(scope, part.expression)
    if (value === undefined || (typeof value === 'object' && value !== null)) return undefined
    text += value === null ? '' : String(value)
  }
  return text
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

const PLAIN_PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/

/**
 * The value of an expression that is only a path of names, without a trip to the sandbox. This is also how a list too
 * large for the sandbox reaches a loop. Where a name is missing the sandbox answers, so that errors are the same.
 */
function lookUp(scope: Record<ScopeRoot, JsonObject | null>, expression: string): Json | undefined {
  if (!PLAIN_PATH.test(expression) || expression.startsWith('secrets.')) return undefined
  let at: Json | undefined = scope
  for (const name of expression.split('.')) {
    if (!isJsonObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}

/** Only what the expressions use travels to the sandbox: its scope is limited, and a run's outputs can be many. */
async function neededScope(
  run: Run,
  whole: Record<ScopeRoot, JsonObject | null>,
  requests: EvaluateRequest[],
): Promise<JsonObject> {
  const references: Reference[] = []
  for (const expression of requests.flatMap(expressionsOf)) {
    const use = findReferences(expression)
    references.push(...use.references)
    references.push(...use.shadowed.map((root) => ({ root, path: [], exact: true })))
  }
  // Every name exists, so that `error?.message` outside of `catch` gives null and not a reference error; and `run.now` is
  // what `new Date()` gives.
  const now = whole.run?.['now'] ?? null
  const empty = {
    inputs: {},
    vars: {},
    steps: {},
    item: {},
    loop: null,
    error: null,
    project: {},
    secrets: {},
  }
  const scope: JsonObject = { ...empty, run: { now } }
  for (const { root, path } of references) {
    if (root === 'secrets') continue
    const source = whole[root]
    const [name] = path
    const slice = scope[root]
    if (name === undefined || !isJsonObject(source) || !isJsonObject(slice)) scope[root] = source
    else if (slice !== source && Object.hasOwn(source, name)) slice[name] = source[name] ?? null
  }
  scope['secrets'] = await secretsFor(run, references)
  return scope
}

const expressionsOf = (request: EvaluateRequest): string[] =>
  request.kind === 'expression'
    ? [request.expression]
    : request.parts.flatMap((part) => (part.kind === 'expression' ? [part.expression] : []))

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
