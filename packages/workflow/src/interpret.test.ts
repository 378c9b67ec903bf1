import { describe, expect, test, vi } from 'vitest'
import { StepError } from './errors.ts'
import type { JournalEvent } from './interpret.ts'
import type { JsonObject } from './json.ts'
import { realClock } from './interpret/signals.ts'
import { evaluateHere, noRunners, runFake } from './testing/fake-run.ts'
import { sketch } from './testing/builder.ts'

const log = (id: string, message: string) => ({ id, type: 'log', state: { message } })
const click = (id: string, state = {}) => ({
  id,
  type: 'click',
  state: { targets: [{ by: 'role', role: 'button', name: 'Post' }], ...state },
})
const messages = (lines: string[]) =>
  lines.filter((line) => /^[^<>!.]/.test(line)).map((line) => line.split(': ')[1])
const okClick = { ...noRunners, click: async () => ({ url: 'http://x/' }) }

describe('sequences', () => {
  test('steps run in order and tell of start, outcome and output', async () => {
    const { result, events } = await runFake({
      document: sketch(
        [
          { id: 'open', type: 'open-page', state: { url: '{{ inputs.base }}/in' } },
          {
            id: 'end',
            type: 'finish',
            state: { outputs: [{ name: 'n', value: '{{ steps.open.status }}' }] },
          },
        ],
        { inputs: [{ name: 'base', type: 'text', required: true }] },
      ),
      bindings: { inputs: { base: 'http://practice' }, run: {} },
      runners: {
        ...noRunners,
        'open-page': async ({ url, waitUntil }) => ({ url, title: waitUntil, status: 200 }),
      },
    })
    expect(result).toMatchObject({ status: 'succeeded', outputs: { n: 200 }, error: null, checkpoint: null })
    expect(events[0]).toMatchObject({
      kind: 'step.started',
      stepId: 'open',
      input: { url: 'http://practice/in' },
    })
    expect(events[1]).toMatchObject({
      kind: 'step.finished',
      outcome: 'done',
      output: { url: 'http://practice/in', title: 'load', status: 200 },
    })
  })

  test('a disabled step is skipped with its bodies', async () => {
    const { lines } = await runFake({
      document: sketch([
        {
          id: 'c',
          type: 'condition',
          state: { condition: 'true' },
          disabled: true,
          bodies: { true: [log('a', 'in')] },
        },
        log('b', 'after'),
      ]),
    })
    expect(lines).toEqual(['< c skipped', '> b', 'b: after', '< b done'])
  })

  test('a missing required input and a wrong type fail before any step', async () => {
    const document = sketch([log('a', 'x')], { inputs: [{ name: 'n', type: 'number', required: true }] })
    const missing = await runFake({ document })
    const wrong = await runFake({ document, bindings: { inputs: { n: 'many' }, run: {} } })
    expect(missing.result.error).toMatchObject({ class: 'InputInvalid', params: { input: 'n' } })
    expect(wrong.result.error?.class).toBe('InputInvalid')
    expect(missing.events).toEqual([])
  })

  test('a text that an expression gave is not evaluated again', async () => {
    const { lines } = await runFake({
      document: sketch([log('a', '{{ inputs.x + "" }}')], {
        inputs: [{ name: 'x', type: 'text', required: true }],
      }),
      bindings: { inputs: { x: '{{ 1 + 1 }}' }, run: {} },
    })
    expect(lines).toContain('a: {{ 1 + 1 }}')
  })

  test('an expression that fails names its field', async () => {
    const { result } = await runFake({ document: sketch([log('a', '{{ steps.none.value }}')]) })
    expect(result).toMatchObject({
      status: 'failed',
      error: { class: 'ExpressionError', stepId: 'a', params: { path: 'message' } },
    })
  })

  test('an input that does not fit the schema after resolving is refused', async () => {
    const { result } = await runFake({
      document: sketch([{ id: 'd', type: 'delay', state: { seconds: '{{ "soon" }}' } }]),
    })
    expect(result.error?.class).toBe('InputInvalid')
  })

  test('variables keep their type', async () => {
    const { result } = await runFake({
      document: sketch(
        [
          { id: 's', type: 'set-variable', state: { name: 'n', value: '{{ vars.n + 2 }}' } },
          { id: 't', type: 'set-variable', state: { name: 'n', value: 'x' } },
        ],
        { variables: [{ name: 'n', type: 'number', default: 40 }] },
      ),
    })
    expect(result.error).toMatchObject({ class: 'InputInvalid', stepId: 't' })
    expect(result.checkpoint).toMatchObject({ stepId: 't', vars: { n: 42 } })
  })

  test('an unknown activity, an output that is no JSON and one that is too large fail the step', async () => {
    const unknown = await runFake({ document: sketch([{ id: 'a', type: 'teleport' }]) })
    expect(unknown.result.error?.class).toBe('WorkflowInvalid')
    const large = await runFake({
      document: sketch([click('a')]),
      runners: { ...noRunners, click: async () => ({ url: 'x'.repeat(600_000) }) },
    })
    expect(large.result.error?.class).toBe('TooLarge')
    const broken = await runFake({
      document: sketch([click('a')]),
      runners: {
        ...noRunners,
        click: async () => ({ url: 'x', when: new Map([[1, () => 1]]), at: Number.NaN }),
      },
    })
    expect(broken.result.error?.class).toBe('Internal')
  })
})

describe('decisions', () => {
  test('a condition runs one body and then goes on', async () => {
    const document = (expression: string) =>
      sketch([
        {
          id: 'c',
          type: 'condition',
          state: { condition: expression },
          bodies: { true: [log('y', 'yes')], false: [log('n', 'no')] },
        },
        log('z', 'after'),
      ])
    expect(messages((await runFake({ document: document('1 < 2') })).lines)).toEqual(['yes', 'after'])
    const { lines } = await runFake({ document: document('{{ "false" }}') })
    expect(lines).toEqual([
      '> c',
      '< c false',
      '> c:false/n',
      'c:false/n: no',
      '< c:false/n done',
      '> z',
      'z: after',
      '< z done',
    ])
  })

  test('a switch takes the case that equals, or the default', async () => {
    const document = sketch(
      [
        {
          id: 's',
          type: 'switch',
          state: {
            value: '{{ inputs.x }}',
            cases: [
              { key: 'one', equals: '1' },
              { key: 'two', equals: '2' },
            ],
          },
          bodies: {
            'case:one': [log('a', 'one')],
            'case:two': [log('b', 'two')],
            default: [log('d', 'other')],
          },
        },
      ],
      { inputs: [{ name: 'x', type: 'number', required: true }] },
    )
    const run = async (x: number) =>
      messages((await runFake({ document, bindings: { inputs: { x }, run: {} } })).lines)
    expect(await run(2)).toEqual(['two'])
    expect(await run(3)).toEqual(['other'])
  })
})

describe('loops', () => {
  test('for each goes through a list in order, loops within loops know both', async () => {
    const { lines, result } = await runFake({
      document: sketch([
        {
          id: 'rows',
          type: 'for-each',
          state: { items: '[1, 2]' },
          bodies: {
            body: [
              {
                id: 'cols',
                type: 'for-each',
                state: { items: '["a", "b"]' },
                bodies: {
                  body: [
                    log('l', '{{ loop.parent.value }}{{ loop.value }} {{ loop.index }}/{{ loop.count }}'),
                  ],
                },
              },
            ],
          },
        },
        log('n', '{{ steps.rows.count }}'),
      ]),
    })
    expect(result.status).toBe('succeeded')
    expect(messages(lines)).toEqual(['1a 0/2', '1b 1/2', '2a 0/2', '2b 1/2', '2'])
    expect(lines).toContain('> rows:body[1]/cols:body[0]/l')
  })

  test('a list longer than allowed and a value that is no list fail', async () => {
    const loop = (items: string, maxTimes = 10) =>
      runFake({ document: sketch([{ id: 'l', type: 'for-each', state: { items, maxTimes } }]) })
    expect((await loop('[1,2,3]', 2)).result.error?.class).toBe('LoopLimit')
    expect((await loop('({a:1})')).result.error?.class).toBe('ExpressionError')
  })

  test('repeat until ends when its condition holds, and fails or goes on at its bound', async () => {
    const document = (maxTimes: number, onLimit: string) =>
      sketch(
        [
          {
            id: 'r',
            type: 'repeat-until',
            state: { condition: 'vars.n >= 3', maxTimes, onLimit, delaySeconds: 5 },
            bodies: {
              body: [{ id: 's', type: 'set-variable', state: { name: 'n', value: '{{ vars.n + 1 }}' } }],
            },
          },
          log('m', '{{ steps.r.met }} {{ steps.r.count }}'),
        ],
        { variables: [{ name: 'n', type: 'number' }] },
      )
    expect(messages((await runFake({ document: document(9, 'fail') })).lines)).toEqual(['true 3'])
    expect((await runFake({ document: document(2, 'fail') })).result.error?.class).toBe('LoopLimit')
    expect(messages((await runFake({ document: document(2, 'continue') })).lines)).toEqual(['false 2'])
  })

  test('twenty thousand rounds leave nothing behind but the last', async () => {
    const rounds = 20_000
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const { result } = await runFake({
      document: sketch(
        [
          {
            id: 'l',
            type: 'for-each',
            state: { items: 'inputs.rows', maxTimes: 100_000 },
            bodies: {
              body: [{ id: 's', type: 'set-variable', state: { name: 'n', value: '{{ loop.value }}' } }],
            },
          },
          { id: 'end', type: 'finish', state: { outputs: [{ name: 'n', value: '{{ vars.n }}' }] } },
        ],
        {
          inputs: [{ name: 'rows', type: 'list', required: true }],
          variables: [{ name: 'n', type: 'number' }],
        },
      ),
      bindings: { inputs: { rows: Array.from({ length: rounds }, (_, index) => index) }, run: {} },
      journal: () => undefined,
      clock: realClock,
      signal,
    })
    expect(result.outputs).toEqual({ n: rounds - 1 })
    expect(result.steps.started).toBe(rounds + 2)
    expect(removed.mock.calls.length).toBe(added.mock.calls.length)
  })
})

describe('failures', () => {
  test('a retryable failure is tried again as often as the step says', async () => {
    let calls = 0
    const { lines, result } = await runFake({
      document: sketch([{ ...click('c'), retry: { attempts: 3, delaySeconds: 2 } }]),
      runners: {
        ...noRunners,
        click: async () => {
          calls += 1
          if (calls < 3) throw new StepError('ElementNotFound', 'no button')
          return { url: 'x' }
        },
      },
    })
    expect(result.status).toBe('succeeded')
    expect(lines).toEqual([
      '> c',
      '< c ElementNotFound',
      '> c #2',
      '< c ElementNotFound',
      '> c #3',
      '< c done',
    ])
  })

  test('a failure that trying again cannot help ends the step at once', async () => {
    const { lines } = await runFake({
      document: sketch([{ ...click('c'), retry: { attempts: 3, delaySeconds: 0 } }]),
      runners: { ...noRunners, click: () => Promise.reject(new StepError('DomainNotAllowed', 'no')) },
    })
    expect(lines).toEqual(['> c', '< c DomainNotAllowed'])
  })

  test('whatever else a runner throws is Internal', async () => {
    const { result } = await runFake({
      document: sketch([click('c')]),
      runners: { ...noRunners, click: () => Promise.reject(new TypeError('oops')) },
    })
    expect(result.error).toMatchObject({ class: 'Internal', message: 'oops', stepId: 'c', uncertain: false })
  })

  test('a step that takes too long is told to stop and fails with Timeout', async () => {
    let told = false
    const { result } = await runFake({
      document: sketch([{ ...click('c'), timeLimitSeconds: 3 }]),
      runners: {
        ...noRunners,
        click: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              told = true
              reject(new Error('aborted'))
            })
          }),
      },
    })
    expect(told).toBe(true)
    expect(result.error).toMatchObject({ class: 'Timeout', params: { seconds: 3 } })
  })

  test('a step that does not obey is given up and not tried again', async () => {
    const { result, lines } = await runFake({
      document: sketch([{ ...click('c'), timeLimitSeconds: 3, retry: { attempts: 3, delaySeconds: 0 } }]),
      runners: { ...noRunners, click: () => new Promise(() => undefined) },
    })
    expect(result.error).toMatchObject({ class: 'Timeout', params: { abandoned: true } })
    expect(lines).toHaveLength(2)
  })

  test('the run has a time limit of its own', async () => {
    const { result } = await runFake({
      document: sketch([{ id: 'd', type: 'delay', state: { seconds: 5000 } }], {
        settings: { timeLimitSeconds: 60, maxAttempts: 1, traceOn: 'failure' },
      }),
    })
    expect(result).toMatchObject({ status: 'timed_out', error: { class: 'TimeLimit' } })
  })

  test('finish with failure fails the run with its outputs', async () => {
    const { result } = await runFake({
      document: sketch([
        {
          id: 'f',
          type: 'finish',
          state: { result: 'failure', message: 'sold out', outputs: [{ name: 'n', value: '1' }] },
        },
      ]),
    })
    expect(result).toMatchObject({
      status: 'failed',
      message: 'sold out',
      outputs: { n: '1' },
      error: { class: 'DeclaredFailure' },
    })
  })

  test('a journal that fails ends the run', async () => {
    const { result } = await runFake({
      document: sketch([log('a', 'x'), log('b', 'y')]),
      journal: (event) => (event.kind === 'log' ? Promise.reject(new Error('disk full')) : undefined),
    })
    expect(result.error).toMatchObject({ class: 'JournalFailed', stepId: 'a' })
  })
})

describe('try, catch and finally', () => {
  const failing = { id: 't', type: 'assert', state: { condition: 'false', message: 'bad' } }

  test('a failure leads to catch, which sees it, then finally, then on', async () => {
    const { lines, result } = await runFake({
      document: sketch([
        {
          id: 'x',
          type: 'try-catch',
          bodies: {
            try: [failing],
            catch: [log('c', '{{ error.class }} {{ error.stepId }}')],
            finally: [log('f', 'tidy')],
          },
        },
        log('z', '{{ steps.x.failed }} {{ steps.x.error.message }}'),
      ]),
    })
    expect(result.status).toBe('succeeded')
    expect(messages(lines)).toEqual(['AssertionFailed t', 'tidy', 'true bad'])
  })

  test('finally runs where catch fails, and the failure goes on', async () => {
    const { lines, result } = await runFake({
      document: sketch([
        {
          id: 'x',
          type: 'try-catch',
          bodies: { try: [failing], catch: [{ ...failing, id: 'u' }], finally: [log('f', 'tidy')] },
        },
      ]),
    })
    expect(messages(lines)).toEqual(['tidy'])
    expect(result).toMatchObject({
      status: 'failed',
      error: { stepId: 'u' },
      checkpoint: { stepId: 'u', path: [{ stepId: 'x', outcome: 'catch' }], error: { stepId: 't' } },
    })
  })

  test('finish inside try leaves through finally', async () => {
    const { lines, result } = await runFake({
      document: sketch([
        {
          id: 'x',
          type: 'try-catch',
          bodies: {
            try: [{ id: 'e', type: 'finish', state: { outputs: [{ name: 'a', value: '1' }] } }],
            finally: [log('f', 'tidy')],
          },
        },
        log('z', 'never'),
      ]),
    })
    expect(messages(lines)).toEqual(['tidy'])
    expect(result).toMatchObject({ status: 'succeeded', outputs: { a: '1' } })
  })

  test('cancellation is not caught, but tidied up after, without anything irreversible', async () => {
    const controller = new AbortController()
    const lines: string[] = []
    let effects = 0
    const { result } = await runFake({
      document: sketch([
        {
          id: 'x',
          type: 'try-catch',
          bodies: {
            try: [{ id: 'd', type: 'delay', state: { seconds: 60 } }],
            catch: [log('c', 'caught')],
            finally: [log('f', 'tidy'), click('p', { sideEffect: 'irreversible' })],
          },
        },
      ]),
      signal: controller.signal,
      runners: {
        ...noRunners,
        click: async () => {
          effects += 1
          return { url: '' }
        },
      },
      clock: realClock,
      journal: (event) => {
        if (event.kind === 'log') lines.push(event.message)
        if (event.kind === 'step.started' && event.stepId === 'd') setTimeout(() => controller.abort(), 5)
      },
    })
    expect(lines).toEqual(['tidy', 'Tidying up failed: Tidying up does nothing that cannot be taken back.'])
    expect(effects).toBe(0)
    expect(result).toMatchObject({
      status: 'cancelled',
      error: { class: 'Cancelled', stepId: 'd', uncertain: false },
    })
    expect(result.checkpoint).toMatchObject({ stepId: 'd', path: [{ stepId: 'x', outcome: 'try' }] })
  })

  test('stop now keeps even tidying up from running', async () => {
    const stop = new AbortController()
    const { lines, result } = await runFake({
      document: sketch([
        {
          id: 'x',
          type: 'try-catch',
          bodies: {
            try: [click('c')],
            finally: [{ id: 'f', type: 'delay', state: { seconds: 9 } }, log('g', 'tidy')],
          },
        },
      ]),
      signal: stop.signal,
      stopNow: stop.signal,
      runners: {
        ...noRunners,
        click: () => {
          stop.abort()
          return Promise.reject(new Error('closed'))
        },
      },
    })
    expect(messages(lines)).toEqual([])
    expect(result.status).toBe('cancelled')
  })
})

describe('irreversible steps', () => {
  const post = click('post', { sideEffect: 'irreversible' })

  test('are announced durably before and confirmed after', async () => {
    const order: string[] = []
    await runFake({
      document: sketch([post]),
      clock: realClock,
      journal: async (event: JournalEvent) => {
        await new Promise((resolve) => setTimeout(resolve, 2))
        order.push(event.kind)
      },
      runners: {
        ...noRunners,
        click: async () => {
          order.push('effect')
          return { url: 'x' }
        },
      },
    })
    expect(order).toEqual(['step.started', 'intent', 'effect', 'confirm', 'step.finished'])
  })

  test('a failure before the effect is confirmed as none and tried again', async () => {
    let calls = 0
    const { lines } = await runFake({
      document: sketch([{ ...post, retry: { attempts: 2, delaySeconds: 0 } }]),
      runners: {
        ...noRunners,
        click: async () => {
          calls += 1
          if (calls === 1) throw new StepError('ElementNotFound', 'no button')
          return { url: 'x' }
        },
      },
    })
    expect(lines).toEqual([
      '> post',
      '! post',
      '. post none',
      '< post ElementNotFound',
      '> post #2',
      '! post',
      '. post done',
      '< post done',
    ])
  })

  test('a failure after which the effect is unknown is uncertain, not tried again and not caught', async () => {
    const { lines, result } = await runFake({
      document: sketch([
        {
          id: 'x',
          type: 'try-catch',
          bodies: {
            try: [{ ...post, retry: { attempts: 5, delaySeconds: 0 } }],
            catch: [log('c', 'caught')],
            finally: [log('f', 'tidy')],
          },
        },
      ]),
      runners: { ...noRunners, click: () => Promise.reject(new StepError('NavigationFailed', 'reset')) },
    })
    expect(lines.filter((line) => line.startsWith('.'))).toEqual([])
    expect(messages(lines)).toEqual(['tidy'])
    expect(result.error).toMatchObject({ class: 'NavigationFailed', uncertain: true })
  })

  test('an intent that cannot be written keeps the effect from happening', async () => {
    let effects = 0
    const { result } = await runFake({
      document: sketch([post]),
      journal: (event) => (event.kind === 'intent' ? Promise.reject(new Error('disk full')) : undefined),
      runners: {
        ...noRunners,
        click: async () => {
          effects += 1
          return { url: '' }
        },
      },
    })
    expect(effects).toBe(0)
    expect(result.error).toMatchObject({ class: 'JournalFailed', uncertain: false })
  })

  test('cancelled between intent and effect: no effect, and it is said', async () => {
    const controller = new AbortController()
    const events: string[] = []
    const { result } = await runFake({
      document: sketch([post]),
      signal: controller.signal,
      journal: (event) => {
        events.push(event.kind === 'confirm' ? event.effect : event.kind)
        if (event.kind === 'intent') controller.abort()
      },
      runners: okClick,
    })
    expect(events).toEqual(['step.started', 'intent', 'none', 'step.finished'])
    expect(result).toMatchObject({ status: 'cancelled', error: { uncertain: false } })
  })
})

describe('parallel', () => {
  const branches = [{ key: 'a' }, { key: 'b' }]

  test('branches run at the same time, each in its own lane', async () => {
    const lanes: string[] = []
    let inside = 0
    let most = 0
    await runFake({
      document: sketch([
        {
          id: 'p',
          type: 'parallel',
          state: { branches },
          bodies: { 'branch:a': [click('x')], 'branch:b': [click('y')] },
        },
      ]),
      runners: {
        ...noRunners,
        click: async (_, { lane }) => {
          lanes.push(lane)
          inside += 1
          most = Math.max(most, inside)
          await new Promise((resolve) => setTimeout(resolve, 5))
          inside -= 1
          return { url: '' }
        },
      },
    })
    expect(lanes).toEqual(['p:a', 'p:b'])
    expect(most).toBe(2)
  })

  test('the first failure stops the others and is the one that counts', async () => {
    const { result } = await runFake({
      document: sketch([
        {
          id: 'p',
          type: 'parallel',
          state: { branches },
          bodies: {
            'branch:a': [{ id: 'd', type: 'delay', state: { seconds: 999 } }],
            'branch:b': [{ id: 'f', type: 'assert', state: { condition: 'false' } }],
          },
        },
      ]),
    })
    expect(result).toMatchObject({ status: 'failed', error: { class: 'AssertionFailed', stepId: 'f' } })
  })
})

describe('call workflow', () => {
  const workflowId = '0190aaaa-0000-7000-8000-000000000001'
  const inner = sketch(
    [
      log('say', 'hello {{ inputs.who }}'),
      {
        id: 'end',
        type: 'finish',
        state: { outputs: [{ name: 'length', value: '{{ inputs.who.length }}' }] },
      },
    ],
    { inputs: [{ name: 'who', type: 'text', required: true }] },
  )

  test('has own inputs and gives its outputs', async () => {
    const { result, lines } = await runFake({
      document: sketch([
        { id: 'call', type: 'call-workflow', state: { workflowId, inputs: [{ name: 'who', value: 'Ada' }] } },
        {
          id: 'end',
          type: 'finish',
          state: { outputs: [{ name: 'n', value: '{{ steps.call.outputs.length }}' }] },
        },
      ]),
      loadWorkflow: async () => inner,
    })
    expect(result.outputs).toEqual({ n: 3 })
    expect(lines).toContain('call>/say: hello Ada')
  })

  test('a workflow that calls itself ends at the depth limit, and a new run goes on at the call', async () => {
    const document = sketch([{ id: 'call', type: 'call-workflow', state: { workflowId } }])
    const { result } = await runFake({ document, loadWorkflow: async () => document })
    expect(result.error?.class).toBe('CallDepth')
    expect(result.checkpoint).toMatchObject({ stepId: 'call', path: [] })
  })
})

describe('going on from a step', () => {
  const document = sketch(
    [
      { id: 'first', type: 'transform', state: { expression: '"kept"' } },
      {
        id: 'loop',
        type: 'for-each',
        state: { items: '["a", "b", "c"]' },
        bodies: {
          body: [
            log('before', 'before {{ loop.value }}'),
            {
              id: 'c',
              type: 'condition',
              state: { condition: 'loop.value !== "x"' },
              bodies: {
                true: [click('act'), log('after', 'after {{ loop.value }} {{ steps.first.value }}')],
              },
            },
          ],
        },
      },
      log('last', 'last'),
    ],
    { variables: [{ name: 'n', type: 'number', default: 1 }] },
  )

  test('takes up the failed round and keeps outputs and variables', async () => {
    let calls = 0
    const failed = await runFake({
      document,
      runners: {
        ...noRunners,
        click: async () => {
          calls += 1
          if (calls === 2) throw new StepError('ElementNotFound', 'gone')
          return { url: '' }
        },
      },
    })
    expect(failed.result.checkpoint).toMatchObject({
      stepId: 'act',
      path: [
        { stepId: 'loop', outcome: 'body', index: 1 },
        { stepId: 'c', outcome: 'true' },
      ],
    })
    const { result, lines } = await runFake({
      document,
      runners: okClick,
      startAt: failed.result.checkpoint ?? undefined,
    })
    expect(result.status).toBe('succeeded')
    expect(messages(lines)).toEqual(['after b kept', 'before c', 'after c kept', 'last'])
  })

  test('one step alone can be tested', async () => {
    const { lines } = await runFake({
      document,
      startAt: { stepId: 'last', path: [], vars: {}, steps: {} },
      stopAfter: 'last',
    })
    expect(lines).toEqual(['> last', 'last: last', '< last done'])
  })

  test('is refused inside branches that could repeat an irreversible step', async () => {
    const { result } = await runFake({
      document: sketch([
        {
          id: 'p',
          type: 'parallel',
          state: { branches: [{ key: 'a' }] },
          bodies: { 'branch:a': [click('x', { sideEffect: 'irreversible' }), click('y')] },
        },
      ]),
      startAt: { stepId: 'y', path: [], vars: {}, steps: {} },
    })
    expect(result.error).toMatchObject({
      class: 'WorkflowInvalid',
      params: { code: 'resume.irreversible_branches' },
    })
  })
})

describe('what travels to the sandbox', () => {
  test('is only what the expressions of the step use, and the time', async () => {
    const scopes: JsonObject[] = []
    const { lines } = await runFake({
      document: sketch(
        [
          { id: 'big', type: 'transform', state: { expression: '"x".repeat(1000)' } },
          log('a', '{{ inputs.a + 1 }} {{ vars.v }}'),
          log('b', '{{ Object.keys(steps).length }}'),
          log('c', '{{ inputs.list.map((vars) => vars.a) }}'),
          log('d', '{{ inputs.a }} {{ vars.v }} {{ run.now }}'),
          log('e', '{{ inputs.list }}'),
        ],
        {
          inputs: [
            { name: 'a', type: 'text', required: true },
            { name: 'b', type: 'text', required: true },
            { name: 'list', type: 'list', required: false, default: [] },
          ],
          variables: [{ name: 'v', type: 'number' }],
        },
      ),
      bindings: { inputs: { a: '1', b: '2' }, run: { id: 'r' }, item: { account: {} } },
      evaluate: async (requests, scope, signal) => {
        scopes.push(scope)
        return evaluateHere(requests, scope, signal)
      },
    })
    const now = '2026-01-01T00:00:00.000Z'
    const rest = { steps: {}, item: {}, run: { now }, loop: null, error: null, secrets: {} }
    expect(scopes.slice(1)).toEqual([
      { ...rest, inputs: { a: '1' }, vars: { v: 0 } },
      { ...rest, inputs: {}, vars: {}, steps: expect.objectContaining({ big: { value: 'x'.repeat(1000) } }) },
      { ...rest, inputs: { list: [] }, vars: { v: 0 } },
      { ...rest, inputs: { list: [] }, vars: {} },
    ])
    expect(lines).toContain(`d: 1 0 ${now}`)
    expect(lines).toContain('e: []')
  })

  test('a list that is only named does not travel at all', async () => {
    const { lines } = await runFake({
      document: sketch(
        [
          {
            id: 'l',
            type: 'for-each',
            state: { items: '{{ inputs.rows }}' },
            bodies: { body: [log('x', 'row')] },
          },
        ],
        { inputs: [{ name: 'rows', type: 'list', required: true }] },
      ),
      bindings: { inputs: { rows: [1, 2, 3] }, run: {} },
      evaluate: () => Promise.reject(new Error('not needed')),
    })
    expect(messages(lines)).toEqual(['row', 'row', 'row'])
  })

  test('cancelled while it evaluates, the run is cancelled and no expression is blamed', async () => {
    const controller = new AbortController()
    const { result } = await runFake({
      document: sketch([log('a', '{{ 1 + 1 }}')]),
      signal: controller.signal,
      evaluate: async (requests) => {
        controller.abort()
        return requests.map(() => ({ ok: false, code: 'expression.cancelled', message: 'called off' }))
      },
    })
    expect(result).toMatchObject({ status: 'cancelled', error: { class: 'Cancelled' } })
  })
})

describe('waiting for a moment', () => {
  test('takes as long as it takes, within the limit that the author gives', async () => {
    const until = '2026-01-01T01:00:00Z'
    const wait = (timeLimitSeconds?: number) =>
      runFake({
        document: sketch([{ id: 'w', type: 'wait-for', state: { for: 'time', until }, timeLimitSeconds }]),
        settings: { timeLimitSeconds: 86_400 },
      })
    expect((await wait()).result.status).toBe('succeeded')
    expect((await wait(60)).result.error?.class).toBe('Timeout')
    const { result } = await runFake({
      document: sketch([{ id: 'w', type: 'wait-for', state: { for: 'time', until: 'soon' } }]),
    })
    expect(result.error?.class).toBe('InputInvalid')
  })
})

describe('secrets', () => {
  test('are fetched once, by name, only where an expression names them', async () => {
    const asked: string[] = []
    const { events } = await runFake({
      document: sketch([log('a', 'key {{ secrets.API_KEY }}'), log('b', 'again {{ secrets.API_KEY }}')]),
      loadSecret: async (name) => {
        asked.push(name)
        return 's3cret'
      },
    })
    expect(asked).toEqual(['API_KEY'])
    expect(events.find((event) => event.kind === 'log')).toMatchObject({ message: 'key s3cret' })
  })
})
