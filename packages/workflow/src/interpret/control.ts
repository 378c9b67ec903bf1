import { CATALOGUE } from '../catalogue/catalogue.ts'
import { StepError } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { askPerson } from './ask.ts'
import { callDocument } from './call.ts'
import type { Container, ContainerEnd, Control } from './container.ts'
import { parallel } from './parallel.ts'
import { isTrue } from './perform.ts'
import { evaluateExpression, parseInput } from './resolve.ts'
import type { Frame, Run } from './run.ts'
import { tryCatch } from './try-catch.ts'

const decision = (container: Container, outcome: string, output: JsonObject): ContainerEnd => ({
  outcome,
  output,
  proceed: () => container.runBody(outcome),
})

const condition: Control = {
  run: async (container) => {
    const resumed = container.resume?.segments[0]?.outcome
    const input = parseInput(CATALOGUE.condition.resolvedSchema, container.input)
    const result = resumed === undefined ? isTrue(input.condition) : resumed === 'true'
    return decision(container, String(result), { result })
  },
}

const switchCase: Control = {
  run: async (container) => {
    const input = parseInput(CATALOGUE.switch.resolvedSchema, container.input)
    const resumed = container.resume?.segments[0]?.outcome
    const text = typeof input.value === 'string' ? input.value : JSON.stringify(input.value)
    const fitting = input.cases.find(({ equals }) => equals === text)
    const outcome = resumed ?? (fitting ? `case:${fitting.key}` : 'default')
    return decision(container, outcome, { case: outcome.replace(/^case:/, '') })
  },
}

const loopScope = (frame: Frame, value: Json, index: number, count: number | null): JsonObject => ({
  value,
  index,
  count,
  parent: frame.loop,
})

const forEach: Control = {
  run: async ({ run, frame, input, resume, runBody }) => {
    const { items, maxTimes } = parseInput(CATALOGUE['for-each'].resolvedSchema, input)
    if (!Array.isArray(items)) {
      throw new StepError('ExpressionError', 'What the loop goes through is not a list.', {
        params: { code: 'expression.not_a_list', path: 'items' },
      })
    }
    if (items.length > maxTimes) {
      throw new StepError(
        'LoopLimit',
        `The list has ${items.length} entries; at most ${maxTimes} are allowed.`,
        {
          params: { count: items.length, max: maxTimes },
        },
      )
    }
    for (let index = resume?.segments[0]?.index ?? 0; index < items.length; index += 1) {
      const loop = loopScope(frame, items[index] ?? null, index, items.length)
      await runBody('body', { loop }, index)
      await yieldSometimes(run, index)
    }
    return { outcome: 'done', output: { count: items.length } }
  },
}

const repeatUntil: Control = {
  later: ['condition'],
  run: async ({ run, frame, activity, input, resume, runBody, pause }) => {
    const schema = CATALOGUE['repeat-until'].resolvedSchema.omit({ condition: true })
    const { maxTimes, delaySeconds, onLimit } = parseInput(schema, input)
    const until = activity.state['condition']
    if (typeof until !== 'string') {
      throw new StepError('InputInvalid', 'The loop has no condition.', { params: { path: 'condition' } })
    }
    for (let index = resume?.segments[0]?.index ?? 0; index < maxTimes; index += 1) {
      const loop = loopScope(frame, null, index, null)
      await runBody('body', { loop }, index)
      if (isTrue(await evaluateExpression(run, { ...frame, loop }, until, 'condition'))) {
        return { outcome: 'done', output: { count: index + 1, met: true } }
      }
      if (index + 1 < maxTimes) await pause(delaySeconds, { outcome: 'body', index: index + 1 })
      await yieldSometimes(run, index)
    }
    if (onLimit === 'continue') return { outcome: 'done', output: { count: maxTimes, met: false } }
    throw new StepError('LoopLimit', `The condition did not hold after ${maxTimes} times.`, {
      params: { max: maxTimes },
    })
  },
}

/** A body of steps that never wait would otherwise keep cancellation from being heard. */
async function yieldSometimes(run: Run, index: number): Promise<void> {
  if (index % 100 === 99) await run.shared.clock.sleep(0, new AbortController().signal)
}

/** How each container runs. */
export const controls: Readonly<Record<string, Control>> = {
  condition,
  switch: switchCase,
  'for-each': forEach,
  'repeat-until': repeatUntil,
  'ask-person': { run: askPerson },
  parallel: { run: parallel },
  'try-catch': { run: tryCatch },
  'call-workflow': { run: callDocument },
  'custom-activity': { run: callDocument },
}
