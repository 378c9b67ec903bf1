import { describe, expect, test } from 'vitest'
import { StepError } from '../errors.ts'
import { noRunners, runFake } from '../testing/fake-run.ts'
import { sketch } from '../testing/builder.ts'

const log = (id: string, message: string) => ({ id, type: 'log', state: { message } })
const click = (id: string, state = {}) => ({
  id,
  type: 'click',
  state: { targets: [{ by: 'role', role: 'button', name: 'Post' }], ...state },
})
const messages = (lines: string[]) =>
  lines.filter((line) => /^[^<>!.]/.test(line)).map((line) => line.split(': ')[1])
const okClick = { ...noRunners, click: async () => ({ url: 'http://x/' }) }

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

  test('the body of a custom activity runs as one, in the version that the step names', async () => {
    const asked: unknown[] = []
    const { result, lines } = await runFake({
      document: sketch([
        {
          id: 'greet',
          type: 'custom-activity',
          state: { activityId: workflowId, version: 3, inputs: [{ name: 'who', value: 'Bea' }] },
        },
        {
          id: 'end',
          type: 'finish',
          state: { outputs: [{ name: 'n', value: '{{ steps.greet.outputs.length }}' }] },
        },
      ]),
      loadWorkflow: async (id, release) => {
        asked.push([id, release])
        return inner
      },
    })
    expect(asked).toEqual([[workflowId, 3]])
    expect(result.outputs).toEqual({ n: 3 })
    expect(lines).toContain('greet>/say: hello Bea')
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
