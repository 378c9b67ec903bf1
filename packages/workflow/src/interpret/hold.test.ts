import { describe, expect, test } from 'vitest'
import { sketch, type StepSketch } from '../testing/builder.ts'
import { runFake } from '../testing/fake-run.ts'
import { CALLED, add, compare, holds, long, throughHolds, withSeen } from '../testing/held.ts'

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

  test('is not timed while it is held, and is timed before and after as one', async () => {
    const settings = { timeLimitSeconds: 150 }
    const work = (id: string) => long(id, 100)
    const one = await throughHolds({ document: sketch([work('a'), long('wait', 5000)]), settings })
    expect(one.result.status).toBe('succeeded')
    const two = await throughHolds({ document: sketch([work('a'), long('wait', 5000), work('b')]), settings })
    expect(two.result.status).toBe('timed_out')
  })
})
