import { describe, expect, test } from 'vitest'
import { emptyDocument } from './document.ts'
import type { WorkflowDocument } from './document.ts'
import { sketch } from './testing/builder.ts'
import type { StepSketch } from './testing/builder.ts'
import { isPublishable, validate } from './validate.ts'
import { checkExpectation } from './validate/expectations.ts'
import type { ValidateOptions } from './validate.ts'

const log = (id: string, message = 'x'): StepSketch => ({ id, type: 'log', state: { message } })
const workflowId = '0190aaaa-0000-7000-8000-000000000001'
const codes = (document: WorkflowDocument, options?: ValidateOptions) =>
  validate(document, options).map(({ code }) => code)
const inLog = (expression: string, document: Partial<WorkflowDocument> = {}) =>
  codes(sketch([log('a'), log('b', `{{ ${expression} }}`)], document))

test('a question may ask for no more than a yes, and nothing need come of it', () => {
  expect(codes(sketch([{ id: 'ask', type: 'ask-person', state: { title: 'Go on?' } }]))).toEqual([])
})

test('a whole and right document has no problems', () => {
  const document = sketch(
    [
      { id: 'open', type: 'open-page', state: { url: '{{ inputs.base }}/list' } },
      { id: 'rows', type: 'extract', state: { what: 'list', targets: [{ by: 'role', role: 'listitem' }] } },
      {
        id: 'each',
        type: 'for-each',
        state: { items: 'steps.rows.value' },
        bodies: { body: [log('say', '{{ loop.value }} {{ item.account.username }}')] },
      },
      {
        id: 'again',
        type: 'repeat-until',
        state: { condition: 'steps.read.value === "ok"', maxTimes: 5 },
        bodies: { body: [{ id: 'read', type: 'extract', state: { targets: [{ by: 'testId', id: 's' }] } }] },
      },
      { id: 'end', type: 'finish', state: {} },
    ],
    { inputs: [{ name: 'base', type: 'text', required: true }] },
  )
  expect(validate(document)).toEqual([])
})

describe('structure', () => {
  test('an empty document, a missing start and a start that is led to', () => {
    expect(codes(emptyDocument())).toEqual(['workflow.empty'])
    expect(codes({ ...sketch([log('a')]), start: 'b' })).toContain('workflow.start_missing')
    const led = sketch([log('a'), log('b')])
    led.connections.push({ from: 'b', outcome: 'done', to: 'a' })
    expect(codes(led)).toEqual(expect.arrayContaining(['workflow.start_has_incoming', 'workflow.cycle']))
  })

  test('a circle of connections is an error, also away from the start', () => {
    const document = sketch([log('a')])
    document.activities.push(...sketch([log('b'), log('c')]).activities)
    document.connections.push(
      { from: 'b', outcome: 'done', to: 'c' },
      { from: 'c', outcome: 'done', to: 'b' },
    )
    expect(validate(document).map(({ code, stepId }) => [code, stepId])).toEqual([
      ['workflow.cycle', 'b'],
      ['workflow.cycle', 'c'],
    ])
  })

  test('unreachable steps, joins, outcomes used twice and unknown ones', () => {
    const document = sketch([log('a'), log('b'), log('c')])
    document.connections = [
      { from: 'a', outcome: 'done', to: 'b' },
      { from: 'a', outcome: 'done', to: 'c' },
    ]
    expect(codes(document)).toEqual(['workflow.outcome_twice', 'workflow.unreachable'])
    document.connections = [
      { from: 'a', outcome: 'done', to: 'b' },
      { from: 'c', outcome: 'done', to: 'b' },
      { from: 'a', outcome: 'maybe', to: 'c' },
      { from: 'a', outcome: 'x', to: 'ghost' },
    ]
    expect(codes(document)).toEqual([
      'workflow.joined',
      'workflow.connection_unknown_outcome',
      'workflow.connection_unknown_step',
      'workflow.unreachable',
    ])
    expect(codes(sketch([log('a'), log('a')]))).toContain('workflow.duplicate_id')
  })

  test('containers too deep, and empty bodies', () => {
    let step: StepSketch = log('x')
    for (let depth = 0; depth < 20; depth += 1) {
      step = { id: `t${depth}`, type: 'try-catch', bodies: { try: [step] } }
    }
    expect(codes(sketch([step]))).toContain('workflow.too_deep')
    const problems = validate(sketch([{ id: 'e', type: 'for-each', state: { items: '[]' } }]))
    expect(problems).toMatchObject([{ code: 'workflow.empty_body', severity: 'warning' }])
    expect(isPublishable(problems)).toBe(true)
  })
})

describe('states', () => {
  test('unknown, disabled and newer activities', () => {
    expect(codes(sketch([{ id: 'a', type: 'teleport' }]))).toEqual(['workflow.unknown_activity'])
    expect(codes(sketch([log('a')]), { switchedOff: new Set(['log']) })).toEqual([
      'workflow.activity_disabled',
    ])
    expect(codes(sketch([{ ...log('a'), typeVersion: 9 }]))).toEqual(['workflow.newer_activity'])
  })

  test('each wrong field is named once', () => {
    const problems = validate(
      sketch([
        {
          id: 'a',
          type: 'open-page',
          state: { url: '', waitUntil: 'never', nonsense: 1, expectStatus: 9999 },
        },
      ]),
    )
    expect(problems.map(({ code, field }) => [code, field])).toEqual([
      ['field.required', 'url'],
      ['field.invalid', 'waitUntil'],
      ['field.invalid', 'expectStatus'],
      ['field.unknown', 'nonsense'],
    ])
    expect(problems[0]).toMatchObject({ path: 'activities.0.state.url', stepId: 'a', severity: 'error' })
  })

  test('a field that is not shown is not required, and what a form leaves empty is left out', () => {
    const wait = (state: StepSketch['state']) => codes(sketch([{ id: 'a', type: 'wait-for', state }]))
    expect(wait({ for: 'text', text: 'Done', url: '', targets: null })).toEqual([])
    expect(wait({ for: 'url', text: 'Done' })).toEqual(['field.required'])
    expect(wait({})).toEqual(['field.required'])
    expect(
      codes(sketch([{ id: 'a', type: 'fill', state: { targets: [{ by: 'label', text: 'Q' }], value: '' } }])),
    ).toEqual([])
  })

  test('a loop needs a bound, a set variable must exist, keys are unique', () => {
    expect(
      codes(
        sketch([
          { id: 'r', type: 'repeat-until', state: { condition: 'true' }, bodies: { body: [log('b')] } },
        ]),
      ),
    ).toEqual(['workflow.loop_without_bound'])
    expect(codes(sketch([{ id: 's', type: 'set-variable', state: { name: 'n', value: '1' } }]))).toEqual([
      'workflow.unknown_variable',
    ])
    const cases = [
      { key: 'k', equals: '1' },
      { key: 'k', equals: '' },
    ]
    expect(
      codes(
        sketch([{ id: 's', type: 'switch', state: { value: 'x', cases }, bodies: { 'case:k': [log('b')] } }]),
      ),
    ).toEqual(expect.arrayContaining(['workflow.duplicate_key', 'field.required']))
  })

  test('declarations', () => {
    const document = sketch([log('a')], {
      inputs: [
        { name: 'a', type: 'text', required: false, secret: true, default: 'hush' },
        { name: 'a', type: 'number', required: false, default: 'one' },
      ],
      variables: [
        { name: 'v', type: 'list', default: {} },
        { name: 'v', type: 'list' },
      ],
    })
    expect(codes(document)).toEqual([
      'workflow.duplicate_input',
      'workflow.default_type',
      'workflow.default_type',
      'workflow.duplicate_variable',
      'workflow.secret_default',
    ])
  })
})

describe('expressions', () => {
  test.each([
    ['inputs.none', 'expression.unknown_input'],
    ['vars["none"]', 'expression.unknown_variable'],
    ['steps.none.value', 'expression.unknown_step'],
    ['steps.a.value', 'expression.unknown_output'],
    ['steps.b', 'expression.step_not_yet'],
    ['item.bank.iban', 'expression.unknown_item'],
    ['loop.value', 'expression.outside_loop'],
    ['error.message', 'expression.outside_catch'],
    ['secrets[inputs]', 'expression.secret_not_fixed'],
    ['fetch("http://x")', 'expression.unknown_name'],
    ['process.env', 'expression.unknown_name'],
  ])('%s', (expression, code) => {
    expect(inLog(expression)).toEqual([code])
  })

  test.each([
    'Math.max(1, 2)',
    '[1, 2].map((item) => item.size)',
    '[1].reduce((sum, x) => sum + x, 0)',
    '({ inputs: 1, other: 2 }).other',
    '"inputs.none }}" + `vars.none`',
    'secrets.KEY',
    'run.id',
    'run["now"].slice(0, 10)',
    '/inputs.none/.test("x")',
  ])('%s is right', (expression) => {
    expect(inLog(expression)).toEqual([])
  })

  test('the project’s names are checked where they are known', () => {
    const document = sketch([log('a', '{{ project.host }} {{ project["port"] }} {{ secrets.KEY }}')])
    expect(codes(document)).toEqual([])
    expect(codes(document, { project: { variables: ['host'], secrets: [] } })).toEqual([
      'expression.unknown_project_variable',
      'expression.unknown_secret',
    ])
    expect(codes(document, { project: { variables: ['host', 'port'], secrets: ['KEY'] } })).toEqual([])
  })

  test('what stands within a template literal counts', () => {
    expect(inLog('`${inputs.none}`')).toEqual(['expression.unknown_input'])
  })

  test('a template that is not closed, or empty', () => {
    expect(codes(sketch([log('a', 'x {{ 1')]))).toEqual(['expression.unclosed'])
    expect(codes(sketch([log('a', 'x {{ }}')]))).toEqual(['expression.empty'])
  })

  test('they are found in targets, rows and pairs', () => {
    const targets = [{ by: 'role', role: 'button', name: '{{ inputs.x }}' }]
    const outputs = [{ name: 'a', value: '{{ inputs.y }}' }]
    const document = sketch([
      { id: 'c', type: 'click', state: { targets } },
      { id: 'f', type: 'finish', state: { outputs } },
    ])
    expect(validate(document).map(({ path }) => path)).toEqual([
      'activities.0.state.targets.0.name',
      'activities.1.state.outputs.0.value',
    ])
  })
})

describe('calls', () => {
  const called = sketch([log('a')], { inputs: [{ name: 'who', type: 'text', required: true }] })
  const call = (inputs: { name: string; value: string }[] = []) =>
    sketch([{ id: 'c', type: 'call-workflow', state: { workflowId, inputs } }])

  test('unknown workflows and inputs', () => {
    expect(codes(call(), { findWorkflow: () => undefined })).toEqual(['workflow.call_unknown'])
    expect(codes(call([{ name: 'what', value: '' }]), { findWorkflow: () => called })).toEqual([
      'workflow.call_unknown_input',
      'workflow.call_missing_input',
    ])
    expect(codes(call())).toEqual([])
  })

  test('calls that come back', () => {
    expect(codes(call(), { workflowId })).toEqual(['workflow.call_cycle'])
    expect(codes(call(), { findWorkflow: () => call() })).toEqual(['workflow.call_cycle'])
  })
})

test('parameters of a custom activity are asked for where only they are at hand', () => {
  const custom = (inputs: { name: string; value: string }[]) =>
    sketch([{ id: 'greet', type: 'custom-activity', state: { activityId: workflowId, version: 2, inputs } }])
  const findParameters: ValidateOptions['findParameters'] = (id, version) =>
    id === workflowId && version === 2
      ? [
          { name: 'who', required: true },
          { name: 'tone', required: true, default: 'kind' },
        ]
      : undefined
  expect(validate(custom([{ name: 'other', value: 'x' }]), { findParameters })).toMatchObject([
    { code: 'workflow.parameter_unknown', stepId: 'greet', field: 'inputs', params: { name: 'other' } },
    { code: 'workflow.parameter_missing', stepId: 'greet', field: 'inputs.who', params: { name: 'who' } },
  ])
  expect(codes(custom([{ name: 'who', value: 'x' }]), { findParameters })).toEqual([])
  expect(codes(custom([]))).toEqual([])
})

test('an expectation looks back on the whole run', () => {
  const document = sketch([log('a'), { id: 'b', type: 'http-request', state: { url: 'https://a.example/' } }])
  const of = (text: string) =>
    checkExpectation(document, text, { variables: ['site'], secrets: ['KEY'] }).map(({ code }) => code)
  for (const right of [
    'outputs.total === 3',
    "result === 'failed' && error.class === 'AssertionFailed'",
    'steps.b.status === 200',
    'project.site',
    '{{ run.attempt }}',
    '',
  ])
    expect(of(right), right).toEqual([])
  expect(of('output.total')).toEqual(['expression.unknown_name'])
  expect(of('secrets.KEY')).toEqual(['expression.unknown_name'])
  expect(of('steps.c.status')).toEqual(['expression.unknown_step'])
  expect(of('steps.b.state')).toEqual(['expression.unknown_output'])
  expect(of('vars.n + inputs.n')).toEqual(['expression.unknown_variable', 'expression.unknown_input'])
  expect(of('loop.index')).toEqual(['expression.outside_loop'])
  expect(of('project.page')).toEqual(['expression.unknown_project_variable'])
})
