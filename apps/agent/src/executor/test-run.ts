import type { Job } from '@weft/contract/agents/jobs'
import { TEST_VALUES_MAX_BYTES } from '@weft/contract/test-runs/schema'
import type { Sandbox } from '@weft/sandbox/pool'
import { jsonObjectSchema, type WorkflowDocument } from '@weft/workflow/document'
import { comparisonIn } from '@weft/workflow/comparison'
import { bareExpression } from '@weft/workflow/expressions'
import { neededScope } from '@weft/workflow/interpret/needed-scope'
import { isTrue } from '@weft/workflow/interpret/perform'
import type { ExecuteOptions, ExecutionResult } from '@weft/workflow/interpret'
import { isJsonObject, type Json, type JsonObject } from '@weft/workflow/json'
import type { Masker } from './mask.ts'
import type { RunEnd } from './protocol.ts'

/** What a test run tells the interpreter: the part, and what stands in for steps. Nothing of other runs. */
export function testOf({ test }: Pick<Job, 'test'>): Pick<ExecuteOptions, 'pins' | 'partly' | 'stopAfter'> {
  if (!test) return {}
  const { part, pins } = test
  return {
    pins: Object.fromEntries(
      Object.entries(pins).map(([id, output]) => [id, jsonObjectSchema.parse(output)]),
    ),
    partly: part.kind !== 'whole',
    ...(part.kind === 'step' ? { stopAfter: part.activityId } : {}),
  }
}

/** The address of the page that a part begins on, unless its first step opens one itself. */
export function pageOf({ test }: Pick<Job, 'test'>, { activities }: WorkflowDocument): string | null {
  if (!test || test.part.kind === 'whole') return null
  const { activityId } = test.part
  const opens = activities.some(({ id, type }) => id === activityId && type === 'open-page')
  return opens ? null : test.page
}

const MAX_ADDRESS = 2000

/** The page that stood before each step when it was first come to. Addresses that hold a secret are not kept. */
export class PagesSeen {
  readonly #masker: Masker
  readonly all: Record<string, string> = {}

  constructor(masker: Masker) {
    this.#masker = masker
  }

  note({ path, stepId }: { path: string; stepId: string }, address: string | undefined): void {
    // What a called workflow does is not this document's.
    if (address === undefined || path.includes('>') || Object.hasOwn(this.all, stepId)) return
    if (!/^https?:/.test(address) || address.length > MAX_ADDRESS) return
    if (this.#masker.text(address) === address) this.all[stepId] = address
  }
}

/** What a test run tells with its end. */
type TestValues = NonNullable<RunEnd['values']>

/**
 * Works out what a workflow test expects, over what the run was given, did and gave. What leaves is whether it holds, and,
 * masked and shortened, what was found and what was asked for.
 */
export async function checkExpectations(
  { job, result, item, run }: { job: Job; result: ExecutionResult; item: JsonObject; run: JsonObject },
  { sandbox, masker, signal }: { sandbox: Sandbox; masker: Masker; signal: AbortSignal },
): Promise<TestValues['checks']> {
  const expressions = job.test?.expectations ?? []
  if (expressions.length === 0 || signal.aborted || !result.values) return []
  const { outputs, status, error, values } = result
  const whole = {
    inputs: jsonObjectSchema.parse(job.inputs),
    ...values,
    item,
    run,
    project: jsonObjectSchema.parse(job.project?.variables ?? {}),
    error: error && { class: error.class, message: error.message, stepId: error.stepId },
  }
  const asked = expressions.map((text) => {
    const expression = bareExpression(text)
    const comparison = comparisonIn(expression)
    const parts = comparison ? [expression, comparison.left, comparison.right] : [expression]
    return { comparison, requests: parts.map((part) => ({ kind: 'expression' as const, expression: part })) }
  })
  const requests = asked.flatMap((one) => one.requests)
  const scope = { ...neededScope(whole, requests).scope, outputs, result: status }
  const answers = await sandbox.evaluateMany(requests, scope, signal)
  const written = (answer: Answer) => (answer?.ok ? lineOf(masker, answer.value) : null)
  let at = 0
  return asked.map(({ comparison, requests: own }) => {
    const [answer, left, right] = answers.slice(at, (at += own.length))
    const found = written(comparison ? left : answer)
    const wanted = comparison && right?.ok ? askedFor(comparison.operator, lineOf(masker, right.value)) : null
    if (answer?.ok) return { holds: isTrue(answer.value), message: null, found, wanted }
    return {
      holds: false,
      message: masker.text(answer?.message ?? '').slice(0, LINE_CHARS),
      found,
      wanted,
    }
  })
}

type Answer = Awaited<ReturnType<Sandbox['evaluateMany']>>[number] | undefined

/** How long what is told of a check may be. */
const LINE_CHARS = 500
/** A sign and a space before it. */
const SIGN_CHARS = 4

const lineOf = (masker: Masker, value: Json) =>
  JSON.stringify(masker.value(value)).slice(0, LINE_CHARS - SIGN_CHARS)

const askedFor = (operator: string, value: string) =>
  operator === '===' || operator === '==' ? value : `${operator} ${value}`

/** What stands where a value was too large to be kept, as in the timeline. */
const shortened = (text: string): JsonObject => ({
  shortened: true,
  length: text.length,
  beginning: text.slice(0, 1000),
})

/**
 * What a test run leaves for the next one, masked: the largest values are given in part where all together are too large.
 */
export function keptValues(
  values: ExecutionResult['values'],
  masker: Masker,
  seen: Pick<TestValues, 'pages' | 'checks'> = { pages: {}, checks: [] },
  maxBytes = TEST_VALUES_MAX_BYTES,
): RunEnd['values'] {
  if (!values) return null
  const vars = objectOf(masker.value(values.vars))
  const steps = Object.fromEntries(
    Object.entries(values.steps).map(([id, output]) => [id, objectOf(masker.value(output))]),
  )
  const sized = [
    ...Object.entries(vars).map(([name, value]) => sizeOf(value, (kept) => (vars[name] = kept))),
    ...Object.entries(steps).map(([id, value]) => sizeOf(value, (kept) => (steps[id] = kept))),
  ].sort((a, b) => b.bytes - a.bytes)
  let total = sized.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { text, bytes, replace } of sized) {
    if (total <= maxBytes) break
    const kept = shortened(text)
    total += JSON.stringify(kept).length - bytes
    replace(kept)
  }
  return { vars, steps, ...seen }
}

function sizeOf(value: Json, replace: (kept: JsonObject) => void) {
  const text = JSON.stringify(value)
  return { text, bytes: Buffer.byteLength(text), replace }
}

const objectOf = (value: Json): JsonObject => (isJsonObject(value) ? value : {})
