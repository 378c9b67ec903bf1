import { describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '../json.ts'
import { realClock } from './signals.ts'
import { evaluateHere, noRunners, runFake } from '../testing/fake-run.ts'
import { sketch } from '../testing/builder.ts'

const log = (id: string, message: string) => ({ id, type: 'log', state: { message } })
const click = (id: string, state = {}) => ({
  id,
  type: 'click',
  state: { targets: [{ by: 'role', role: 'button', name: 'Post' }], ...state },
})
const messages = (lines: string[]) =>
  lines.filter((line) => /^[^<>!.]/.test(line)).map((line) => line.split(': ')[1])

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

  test('twenty thousand rounds leave nothing behind but the last', { timeout: 30_000 }, async () => {
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
    const rest = { steps: {}, item: {}, run: { now }, loop: null, error: null, project: {}, secrets: {} }
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

describe('the project', () => {
  test('gives its variables to expressions, by name and as a whole', async () => {
    const { events } = await runFake({
      document: sketch([log('a', '{{ project.host }}:{{ project.limits.max + 1 }}')]),
      bindings: { inputs: {}, run: {}, project: { host: 'shop', limits: { max: 4 } } },
    })
    expect(events.find((event) => event.kind === 'log')).toMatchObject({ message: 'shop:5' })
  })

  test('is empty where the workflow belongs to none', async () => {
    const { result } = await runFake({ document: sketch([log('a', '{{ project.host ?? "none" }}')]) })
    expect(result.status).toBe('succeeded')
  })
})
