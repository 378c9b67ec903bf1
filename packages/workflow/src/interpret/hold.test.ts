import { array, assert, asyncProperty, constantFrom, letrec, oneof, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WorkflowDocument } from '../document.ts'
import type { JsonObject } from '../json.ts'
import { StepError } from '../errors.ts'
import type { ActivityRunners, ExecuteOptions, GoOn, HoldEnd, HoldOptions } from '../interpret.ts'
import { sketch, type StepSketch } from '../testing/builder.ts'
import { noRunners, runFake } from '../testing/fake-run.ts'
import { tries } from '../testing/random-edits.ts'
import { heldStateSchema } from './held-state.ts'

const DUE: HoldEnd = { ending: 'due', answers: {}, by: null }
const CALLED = '00000000-0000-7000-8000-000000000001'

function holds(leave = true): HoldOptions {
  return {
    afterSeconds: 120,
    leave: leave ? { maxBytes: 1_000_000 } : null,
    inPlace: () => Promise.resolve(DUE),
  }
}

/** Runs to the end, going on after each hold, as often as it takes; the state goes through JSON each time. */
async function throughHolds(
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

const long = (id: string, seconds = 600): StepSketch => ({ id, type: 'delay', state: { seconds } })
const add = (id: string, value: string): StepSketch => ({
  id,
  type: 'set-variable',
  state: { name: 'seen', value: `{{ [...vars.seen, ${value}] }}` },
})
const withSeen = { variables: [{ name: 'seen', type: 'list' as const }] }

/** What is alike whether it was held or not: values, outputs, and each thing done once and in order. */
async function compare(document: WorkflowDocument, more: Partial<ExecuteOptions> = {}) {
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

/** A step that is tried so often, with such pauses. */
const flaky = (delaySeconds: number, attempts = 3): StepSketch => ({
  id: 'flaky',
  type: 'click',
  state: { targets: [{ by: 'text', text: 'Send' }] },
  retry: { attempts, delaySeconds },
})
const notThere = () => Promise.reject(new StepError('Timeout', 'not there'))

describe('a run that waits long', () => {
  test('sleeps where the wait is short, and leaves where it is long', async () => {
    const short = await runFake({ document: sketch([long('a', 119)]), hold: holds() })
    expect(short.result.status).toBe('succeeded')
    const { result } = await runFake({ document: sketch([long('a', 120)]), hold: holds() })
    expect(result).toMatchObject({
      status: 'held',
      held: { request: { kind: 'time', seconds: 120 }, place: { stepId: 'a', path: '' } },
    })
  })

  test('goes on after the step, with its values, and repeats nothing', async () => {
    const document = sketch([add('one', '1'), long('wait'), add('two', '2')], withSeen)
    const { result } = await compare(document)
    expect(result.values?.vars['seen']).toEqual([1, 2])
  })

  test('goes on in the round that it was in, over the list as it was', async () => {
    const document = sketch(
      [
        {
          id: 'rows',
          type: 'for-each',
          state: { items: 'vars.seen.length > 0 ? [] : ["a", "b"]' },
          bodies: {
            body: [
              {
                id: 'inner',
                type: 'for-each',
                state: { items: '[1, 2]' },
                bodies: { body: [long('wait'), add('see', 'loop.parent.value + loop.value')] },
              },
            ],
          },
        },
      ],
      withSeen,
    )
    const { result, waited } = await compare(document)
    expect(waited).toBe(4)
    expect(result.values?.vars['seen']).toEqual(['a1', 'a2', 'b1', 'b2'])
  })

  test('pauses between the rounds of a loop', async () => {
    const document = sketch(
      [
        {
          id: 'poll',
          type: 'repeat-until',
          state: { condition: 'vars.seen.length === 3', maxTimes: 5, delaySeconds: 900 },
          bodies: { body: [add('see', 'loop.index')] },
        },
        add('after', '"end"'),
      ],
      withSeen,
    )
    const { result, waited } = await compare(document)
    expect(waited).toBe(2)
    expect(result.values?.vars['seen']).toEqual([0, 1, 2, 'end'])
  })

  test('goes on in try, catch and finally, and still tidies up once', async () => {
    const fails: StepSketch = {
      id: 'fails',
      type: 'assert',
      state: { subject: 'expression', condition: 'false' },
    }
    const document = sketch(
      [
        {
          id: 'try',
          type: 'try-catch',
          bodies: {
            try: [long('w1'), add('t', '"try"'), fails],
            catch: [long('w2'), add('c', 'error.class')],
            finally: [long('w3'), add('f', '"finally"')],
          },
        },
        add('after', 'steps.try.error.class'),
      ],
      withSeen,
    )
    const { result, waited } = await compare(document)
    expect(waited).toBe(3)
    expect(result.values?.vars['seen']).toEqual(['try', 'AssertionFailed', 'finally', 'AssertionFailed'])
  })

  test('tidies up without leaving while a failure is on its way out', async () => {
    const fails: StepSketch = {
      id: 'fails',
      type: 'assert',
      state: { subject: 'expression', condition: 'false' },
    }
    const steps = { try: [fails], catch: [{ ...fails, id: 'again' }], finally: [long('w'), add('f', '1')] }
    const document = sketch([{ id: 'try', type: 'try-catch', bodies: steps }], withSeen)
    const { result } = await runFake({ document, hold: holds() })
    expect(result).toMatchObject({ status: 'failed', values: { vars: { seen: [1] } } })
  })

  test('goes on inside called workflows, in the document that it called', async () => {
    const inner = sketch(
      [
        add('in1', 'inputs.who'),
        { id: 'if', type: 'condition', state: { condition: 'true' }, bodies: { true: [long('wait', 300)] } },
        add('in2', '"later"'),
        {
          id: 'end',
          type: 'finish',
          state: { result: 'success', outputs: [{ name: 'all', value: '{{ vars.seen }}' }] },
        },
      ],
      { ...withSeen, inputs: [{ name: 'who', type: 'text', required: true, secret: false }] },
    )
    const document = sketch(
      [
        {
          id: 'call',
          type: 'call-workflow',
          state: { workflowId: CALLED, inputs: [{ name: 'who', value: 'them' }] },
        },
        add('out', 'steps.call.outputs.all.join()'),
      ],
      withSeen,
    )
    let loaded = 0
    const loadWorkflow = () => {
      loaded += 1
      return Promise.resolve(inner)
    }
    const { result } = await compare(document, { loadWorkflow })
    expect(result.values?.vars['seen']).toEqual(['them,later'])
    // Once without holds, and once with: the newest release may be another by then.
    expect(loaded).toBe(2)
  })

  test('waits where it is between parallel branches', async () => {
    const document = sketch([
      {
        id: 'both',
        type: 'parallel',
        state: { branches: [{ key: 'l' }, { key: 'r' }] },
        bodies: { 'branch:l': [long('wait')], 'branch:r': [] },
      },
    ])
    expect((await runFake({ document, hold: holds() })).result.status).toBe('succeeded')
  })

  test('waits where it is when too much would have to be kept', async () => {
    const document = sketch([long('wait')])
    const hold = { ...holds(), leave: { maxBytes: 5 } }
    expect((await runFake({ document, hold })).result.status).toBe('succeeded')
  })

  test('counts what the containers around have worked out to what would be kept', async () => {
    const body = [long('wait')]
    const list: StepSketch = {
      id: 'rows',
      type: 'for-each',
      state: { items: 'Array.from({ length: 1 }, () => "x".repeat(5000))' },
      bodies: { body },
    }
    const poll: StepSketch = {
      id: 'poll',
      type: 'repeat-until',
      state: { condition: 'loop.index === 1', maxTimes: 2, delaySeconds: 600 },
      bodies: { body: [] },
    }
    const called = { ...sketch(body), settings: { ...sketch([]).settings } }
    const call: StepSketch = { id: 'call', type: 'call-workflow', state: { workflowId: CALLED } }
    const loadWorkflow = () => Promise.resolve(called)
    const statusOf = async (steps: StepSketch[], maxBytes: number) => {
      const hold = { ...holds(), leave: { maxBytes } }
      const { result } = await runFake({ document: sketch(steps), hold, loadWorkflow })
      const kept = result.held ? JSON.stringify(result.held.state).length : 0
      return { status: result.status, fits: kept <= maxBytes + 500 }
    }
    const pollInside = { ...list, bodies: { body: [poll] } }
    for (const steps of [[list], [pollInside], [{ ...list, bodies: { body: [call] } }]]) {
      expect(await statusOf(steps, 4000)).toEqual({ status: 'succeeded', fits: true })
      expect(await statusOf(steps, 8000)).toEqual({ status: 'held', fits: true })
    }
    // The document of a call that names no release is kept as well.
    expect(await statusOf([call], 100)).toEqual({ status: 'succeeded', fits: true })
    const named = { ...call, state: { ...call.state, release: 1 } }
    expect(await statusOf([named], 100)).toEqual({ status: 'held', fits: true })
  })

  test('leaves in a long pause before another attempt, and goes on with that attempt', async () => {
    const rows = (delaySeconds: number): StepSketch => ({
      id: 'rows',
      type: 'for-each',
      state: { items: '["a", "b"]' },
      bodies: { body: [flaky(delaySeconds), add('see', 'loop.value')] },
    })
    const click = () => {
      const attempts: string[] = []
      const run: ActivityRunners['click'] = (_input, { path, attempt }) => {
        attempts.push(`${path} ${attempt}`)
        if (attempt < 3) return notThere()
        return Promise.resolve({ url: '' })
      }
      return { attempts, runners: { ...noRunners, click: run } }
    }
    const document = sketch([rows(600)], withSeen)
    const [whole, parted] = [click(), click()]
    const settings = { timeLimitSeconds: 86_400 }
    const one = await runFake({ document, settings, runners: whole.runners })
    const two = await throughHolds({ document, settings, runners: parted.runners })
    expect(one.result).toMatchObject({ status: 'succeeded', steps: { started: 5 } })
    expect(parted.attempts).toEqual(whole.attempts)
    expect(parted.attempts).toHaveLength(6)
    expect(two).toMatchObject({ waited: 4, result: { status: 'succeeded', steps: { started: 5 } } })
    expect(two.result.values).toEqual(one.result.values)
    const brief = click()
    const slept = await throughHolds({
      document: sketch([rows(119)], withSeen),
      settings,
      runners: brief.runners,
    })
    expect(slept).toMatchObject({ waited: 0, result: { status: 'succeeded' } })
  })

  test('says so in a shape that an agent which knows no such pauses refuses', async () => {
    const { result } = await runFake({
      document: sketch([flaky(600, 2)]),
      hold: holds(),
      runners: { ...noRunners, click: notThere },
    })
    // Such an agent takes the id of a waiting step alone, and the step for done.
    expect(result.held?.state.stepId).toEqual({ id: 'flaky', attempt: 2 })
    const said = { ...result.held?.state, stepId: 'flaky', attempt: 2 }
    expect(heldStateSchema.safeParse(said).success).toBe(false)
  })

  test('fails after the last attempt, as without leaving', async () => {
    const { result, waited, lines } = await throughHolds({
      document: sketch([flaky(600, 2)]),
      runners: { ...noRunners, click: notThere },
    })
    expect({ waited, status: result.status, class: result.error?.class }).toEqual({
      waited: 1,
      status: 'failed',
      class: 'Timeout',
    })
    expect(lines.filter((line) => line.startsWith('>'))).toEqual(['> flaky', '> flaky #2'])
  })

  test('is not timed while it is held, and is timed before and after as one', async () => {
    const settings = { timeLimitSeconds: 150 }
    const work = (id: string) => long(id, 100)
    const one = await throughHolds({ document: sketch([work('a'), long('wait', 5000)]), settings })
    expect(one.result.status).toBe('succeeded')
    const two = await throughHolds({ document: sketch([work('a'), long('wait', 5000), work('b')]), settings })
    expect(two.result.status).toBe('timed_out')
  })
})

/** What a random workflow is made of, before its steps have their ids. */
type Piece = {
  kind: 'wait' | 'see' | 'fail' | 'each' | 'poll' | 'if' | 'try'
  first: Piece[]
  second: Piece[]
}

const { pieces } = letrec<{ pieces: Piece[]; piece: Piece }>((tie) => ({
  pieces: array(tie('piece'), { minLength: 1, maxLength: 4, depthIdentifier: 'steps' }),
  piece: oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true, depthIdentifier: 'steps' },
    record({
      kind: constantFrom('wait', 'wait', 'see', 'see', 'fail'),
      first: constantFrom<Piece[]>([]),
      second: constantFrom<Piece[]>([]),
    }),
    record({
      kind: constantFrom('each', 'poll', 'if', 'try'),
      first: tie('pieces'),
      second: tie('pieces'),
    }),
  ),
}))

function stepsOf(all: readonly Piece[], prefix: string): StepSketch[] {
  return all.map(({ kind, first, second }, index): StepSketch => {
    const id = `${prefix}${kind}${index}`
    const bodies = (one: string, other?: string) => ({
      [one]: stepsOf(first, `${id}_`),
      ...(other === undefined ? {} : { [other]: stepsOf(second, `${id}o`) }),
    })
    const see = JSON.stringify(id)
    switch (kind) {
      case 'wait':
        return long(id)
      case 'see':
        return add(id, `${see} + (loop?.index ?? "") + (error?.class ?? "")`)
      case 'fail':
        return {
          id,
          type: 'assert',
          state: { subject: 'expression', condition: 'vars.seen.length % 2 === 1' },
        }
      case 'each':
        return { id, type: 'for-each', state: { items: '[vars.seen.length, 2]' }, bodies: bodies('body') }
      case 'poll':
        return {
          id,
          type: 'repeat-until',
          state: { condition: 'loop.index === 1', maxTimes: 2, delaySeconds: 300 },
          bodies: bodies('body'),
        }
      case 'if':
        return {
          id,
          type: 'condition',
          state: { condition: 'vars.seen.length % 2 === 0' },
          bodies: bodies('true', 'false'),
        }
      default:
        return { id, type: 'try-catch', bodies: { ...bodies('try', 'catch'), finally: [add(`${id}f`, see)] } }
    }
  })
}

test('any workflow comes to the same, held as often as it waits or not at all', async () => {
  let held = 0
  await assert(
    asyncProperty(pieces, async (all) => {
      const document = sketch(stepsOf(all, 's'), withSeen)
      const settings = { timeLimitSeconds: 10_000_000 }
      const whole = await runFake({ document, settings })
      const parted = await throughHolds({ document, settings })
      held += parted.waited
      const of = ({ status, values, error, steps: { started } }: typeof whole.result) => ({
        status,
        values,
        class: error?.class,
        started,
      })
      expect(of(parted.result)).toEqual(of(whole.result))
    }),
    tries(60),
  )
  expect(held).toBeGreaterThan(30)
}, 60_000)

describe('asking a person', () => {
  const ask: StepSketch = {
    id: 'ask',
    type: 'ask-person',
    state: {
      title: 'May {{ 1 + 1 }} be sent?',
      fields: [
        { name: 'send', label: 'Send', kind: 'boolean' },
        { name: 'to', label: 'To', kind: 'choice', options: 'A\nB\n', required: false },
      ],
      waitSeconds: 60,
    },
    bodies: {
      answered: [long('wait'), add('yes', 'steps.ask.answers.to')],
      timedOut: [add('no', '"nobody"')],
    },
  }
  const document = sketch([ask, add('by', 'steps.ask.by')], withSeen)

  test('leaves with the question, also for a short time', async () => {
    const { result } = await runFake({ document, hold: holds() })
    expect(result.held?.request).toEqual({
      kind: 'question',
      seconds: 60,
      question: {
        title: 'May 2 be sent?',
        text: '',
        fields: [
          { name: 'send', label: 'Send', kind: 'boolean', required: true, options: [] },
          { name: 'to', label: 'To', kind: 'choice', required: false, options: ['A', 'B'] },
        ],
        who: 'runners',
        names: [],
      },
    })
  })

  test('goes on with the answers, or the other way', async () => {
    const answers: JsonObject = { send: true, to: 'B' }
    const answered = await throughHolds({ document }, (waited) =>
      waited === 0 ? { ending: 'answered', answers, by: 'mara' } : DUE,
    )
    expect(answered.result.values?.vars['seen']).toEqual(['B', 'mara'])
    expect(answered.result.values?.steps['ask']).toEqual({ answered: true, answers, by: 'mara' })
    const late = await throughHolds({ document }, () => ({ ending: 'timed_out', answers: {}, by: null }))
    expect(late.result.values?.vars['seen']).toEqual(['nobody', ''])
    expect(late.result.values?.steps['ask']?.['answers']).toEqual({ send: null, to: null })
  })

  test('fails where nobody can be asked, and with a form that is not right', async () => {
    expect((await runFake({ document })).result.error?.class).toBe('WorkflowInvalid')
    const fields = [
      { name: 'a', label: 'A' },
      { name: 'a', label: 'B' },
    ]
    const twice = sketch([{ ...ask, state: { ...ask.state, fields } }], withSeen)
    expect((await runFake({ document: twice, hold: holds() })).result.error?.class).toBe('InputInvalid')
  })
})
