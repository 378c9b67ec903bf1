import { canonicalJson } from '@weft/contract/core/canonical'
import type { TestResources } from '@weft/contract/test-runs/schema'
import type { WorkflowTest } from '@weft/contract/workflow-tests/schema'
import type { Json, JsonObject } from '@weft/workflow/json'
import { jsonObjectSchema } from '@weft/workflow/document'
import { proposedFrom, type Ended } from './propose.ts'

/** An expectation while it is written; the key stays with its row. */
export interface ExpectationDraft {
  key: number
  label: string
  expression: string
}

/** A test of the workflow while it is written. */
export interface TestDraft {
  /** Which opening of the form it is: stays while it is written and saved, and is another's in each other one. */
  key: number
  /** Null for one that is not saved yet. */
  id: string | null
  version: number | null
  name: string
  inputs: JsonObject
  resources: TestResources
  expectedResult: 'succeeded' | 'failed'
  expectations: readonly ExpectationDraft[]
  /** As it was saved, or first proposed: what differs from it would be lost. */
  before: string
}

type Content = Pick<TestDraft, 'name' | 'inputs' | 'resources' | 'expectedResult'> & {
  expectations: readonly { label: string; expression: string }[]
}

let keys = 0
const nextKey = () => (keys += 1)

/** A row for an expectation. */
export const expectationDraft = (expression = '', label = ''): ExpectationDraft => ({
  key: nextKey(),
  label,
  expression,
})

function draftOf(id: string | null, version: number | null, content: Content): TestDraft {
  const { name, inputs, resources, expectedResult } = content
  const expectations = content.expectations.map(({ label, expression }) =>
    expectationDraft(expression, label),
  )
  const draft = { key: nextKey(), id, version, name, inputs, resources, expectedResult, expectations }
  return { ...draft, before: textOf(draft) }
}

/** An empty test. */
export function newTest(name: string): TestDraft {
  return draftOf(null, null, {
    name,
    inputs: {},
    resources: {},
    expectedResult: 'succeeded',
    expectations: [],
  })
}

/** A test that is there, to be changed. */
export function draftOfTest(test: WorkflowTest): TestDraft {
  return draftOf(test.id, test.version, { ...test, inputs: plain(test.inputs) })
}

/** A new test like one that is there. */
export function copyOfTest(test: WorkflowTest, name: string): TestDraft {
  return draftOf(null, null, { ...test, name, inputs: plain(test.inputs) })
}

/** What of a test run becomes a test. */
export interface RunTaken extends Ended {
  inputs: Record<string, unknown>
  resources: TestResources
}

/** A new test from a test run: what it was given, and what came of it. Secret inputs are not kept. */
export function draftFromRun(run: RunTaken, name: string, secret: ReadonlySet<string>): TestDraft {
  const inputs = Object.entries(plain(run.inputs)).filter(([input]) => !secret.has(input))
  return draftOf(null, null, {
    name,
    inputs: Object.fromEntries(inputs),
    resources: run.resources,
    expectedResult: run.result === 'succeeded' ? 'succeeded' : 'failed',
    expectations: proposedFrom(run).map((expression) => ({ label: '', expression })),
  })
}

/**
 * What is written on after a draft was saved as it stood in `sent`; null where it was not changed meanwhile. What was put
 * aside for another stays aside.
 */
export function leftAfterSave(
  now: TestDraft | null,
  sent: TestDraft,
  saved: Pick<WorkflowTest, 'id' | 'version'>,
): TestDraft | null {
  if (now?.key !== sent.key) return now
  const before = textOf(sent)
  const { id, version } = saved
  return textOf(now) === before ? null : { ...now, id, version, before }
}

/** Whether something of it is not saved. */
export const isChanged = (draft: TestDraft): boolean => textOf(draft) !== draft.before

/** A name that no test has yet: the given one, with a number where it must be. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  let number = 2
  while (taken.includes(`${wanted} ${number}`)) number += 1
  return `${wanted} ${number}`
}

function textOf({
  name,
  inputs,
  resources,
  expectedResult,
  expectations,
}: Omit<TestDraft, 'key' | 'before'>): string {
  const rows = expectations.map(({ label, expression }) => [label, expression])
  return canonicalJson([name, inputs, resources, expectedResult, rows])
}

function plain(values: Record<string, unknown>): JsonObject {
  return jsonObjectSchema.safeParse(values).data ?? {}
}

/** Inputs with one of them set, or taken out. */
export function withInput(inputs: JsonObject, name: string, value: Json | undefined): JsonObject {
  const { [name]: _old, ...others } = inputs
  return value === undefined ? others : { ...others, [name]: value }
}
