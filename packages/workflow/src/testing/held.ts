import { expect } from 'vitest'
import type { WorkflowDocument } from '../document.ts'
import type { ExecuteOptions, GoOn, HoldEnd, HoldOptions } from '../interpret.ts'
import type { StepSketch } from './builder.ts'
import { runFake } from './fake-run.ts'
import { heldStateSchema } from '../interpret/held-state.ts'

/** How a wait ends by itself. */
export const DUE: HoldEnd = { ending: 'due', answers: {}, by: null }
/** The id of a workflow that others call. */
export const CALLED = '00000000-0000-7000-8000-000000000001'

/** A run may leave where it waits for two minutes or more. */
export function holds(leave = true): HoldOptions {
  return {
    afterSeconds: 120,
    leave: leave ? { maxBytes: 1_000_000 } : null,
    inPlace: () => Promise.resolve(DUE),
  }
}

/** Runs to the end, going on after each hold, as often as it takes; the state goes through JSON each time. */
export async function throughHolds(
  options: Partial<ExecuteOptions> & Pick<ExecuteOptions, 'document'>,
  answer: (waited: number) => HoldEnd = () => DUE,
) {
  const lines: string[] = []
  let goOn: GoOn | undefined
  for (let waited = 0; ; waited += 1) {
    const run = await runFake({ hold: holds(), ...options, ...(goOn ? { goOn } : {}) })
    lines.push(...run.lines)
    const { held } = run.result
    if (!held) return { ...run, lines, waited }
    const state = heldStateSchema.parse(JSON.parse(JSON.stringify(held.state)))
    goOn = { state, end: answer(waited) }
  }
}

/** A step that waits. */
export const long = (id: string, seconds = 600): StepSketch => ({ id, type: 'delay', state: { seconds } })
/** A step that notes a value, so that what was done can be told in order. */
export const add = (id: string, value: string): StepSketch => ({
  id,
  type: 'set-variable',
  state: { name: 'seen', value: `{{ [...vars.seen, ${value}] }}` },
})
export const withSeen = { variables: [{ name: 'seen', type: 'list' as const }] }

/** What is alike whether it was held or not: values, outputs, and each thing done once and in order. */
export async function compare(document: WorkflowDocument, more: Partial<ExecuteOptions> = {}) {
  const rest = { settings: { timeLimitSeconds: 86_400 }, ...more }
  const whole = await runFake({ document, ...rest })
  const parted = await throughHolds({ document, ...rest })
  expect(parted.waited).toBeGreaterThan(0)
  const { status, outputs, values, error, steps } = parted.result
  expect({ status, outputs, values, started: steps.started, class: error?.class }).toEqual({
    status: whole.result.status,
    outputs: whole.result.outputs,
    started: whole.result.steps.started,
    values: whole.result.values,
    class: whole.result.error?.class,
  })
  // Decisions on the way back in are told again; everything else is done once, in the same order.
  const finishes = (lines: string[]) => [...new Set(lines.filter((line) => line.startsWith('<')))]
  expect(finishes(parted.lines)).toEqual(finishes(whole.lines))
  return parted
}
