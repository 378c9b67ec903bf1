import { describe, expect, test } from 'vitest'
import { noRunners, runFake } from '../testing/fake-run.ts'
import { sketch } from '../testing/builder.ts'
import type { ActivityRunners } from './types.ts'
import { irreversibleAmong, isPinnable, stepsOfPart, wayTo, type Part } from './part.ts'

const log = (id: string, message = id) => ({ id, type: 'log', state: { message } })
const get = (id: string, url: string) => ({ id, type: 'http-request', state: { method: 'GET', url } })
const act = (id: string) => ({
  id,
  type: 'click',
  state: { targets: [{ by: 'css', selector: '#go' }], sideEffect: 'irreversible' },
})
const runners: ActivityRunners = {
  ...noRunners,
  'http-request': async ({ url }) => ({
    status: 200,
    headers: {},
    body: url,
    json: null,
    url,
  }),
}
const at = (stepId: string, steps = {}, vars = {}) => ({
  startAt: { stepId, path: [], vars, steps },
  partly: true,
})

describe('one step alone', () => {
  const document = sketch(
    [
      get('ask', 'https://a.example/{{ inputs.id }}'),
      {
        id: 'guard',
        type: 'try-catch',
        bodies: {
          try: [log('say', 'got {{ steps.ask.body }} {{ vars.n }}'), log('then')],
          catch: [log('caught')],
          finally: [log('tidy')],
        },
      },
      {
        id: 'both',
        type: 'parallel',
        state: { branches: [{ key: 'a' }, { key: 'b' }] },
        bodies: { 'branch:a': [log('left'), log('left_after')], 'branch:b': [act('right')] },
      },
      log('last'),
    ],
    {
      inputs: [{ name: 'id', type: 'text', required: true }],
      variables: [{ name: 'n', type: 'number', default: 1 }],
    },
  )

  test('is done with what the last run left, and nothing around it', async () => {
    const { result, lines } = await runFake({
      document,
      ...at('say', { ask: { body: 'kept' } }, { n: 7 }),
      stopAfter: 'say',
    })
    expect(lines).toEqual([
      '> guard',
      '> guard:try/say',
      'guard:try/say: got kept 7',
      '< guard:try/say done',
      '< guard end',
    ])
    expect(result).toMatchObject({
      status: 'succeeded',
      values: { vars: { n: 7 }, steps: { ask: { body: 'kept' } } },
    })
  })

  test('that fails leads to no catch', async () => {
    const { result, lines } = await runFake({ document, ...at('say'), stopAfter: 'say' })
    expect(lines.filter((line) => line.includes('caught') || line.includes('tidy'))).toEqual([])
    expect(result).toMatchObject({ status: 'failed', error: { stepId: 'say' } })
  })

  test('in one branch leaves the others alone', async () => {
    const { result, lines } = await runFake({ document, ...at('left'), stopAfter: 'left' })
    expect(lines.filter((line) => line.startsWith('>'))).toEqual(['> both', '> both:branch:a/left'])
    expect(result.status).toBe('succeeded')
  })

  test('needs no inputs of others; all from a step on does', async () => {
    expect((await runFake({ document, ...at('last'), stopAfter: 'last' })).result.status).toBe('succeeded')
    expect((await runFake({ document, ...at('last') })).result.error).toMatchObject({ class: 'InputInvalid' })
  })

  test('from here on goes through one branch and all that follows', async () => {
    const { lines } = await runFake({
      document,
      ...at('left_after'),
      bindings: { inputs: { id: '1' }, run: {} },
    })
    expect(lines.filter((line) => line.startsWith('>'))).toEqual([
      '> both',
      '> both:branch:a/left_after',
      '> last',
    ])
  })
})

describe('pinned outputs', () => {
  test('stand in for steps, in every round, and are what later steps see', async () => {
    const document = sketch([
      {
        id: 'rows',
        type: 'for-each',
        state: { items: '[1, 2]' },
        bodies: {
          body: [get('ask', 'https://a.example/'), log('say', '{{ loop.value }} {{ steps.ask.body }}')],
        },
      },
      get('real', 'https://b.example/'),
    ])
    const { result, lines } = await runFake({ document, pins: { ask: { body: 'pinned' } }, runners })
    expect(lines.filter((line) => /^(<.*ask|rows.*say:)/.test(line))).toEqual([
      '< rows:body[0]/ask skipped',
      'rows:body[0]/say: 1 pinned',
      '< rows:body[1]/ask skipped',
      'rows:body[1]/say: 2 pinned',
    ])
    expect(result.values?.steps).toMatchObject({
      ask: { body: 'pinned' },
      real: { body: 'https://b.example/' },
    })
  })

  test('are for steps that give something and lead nowhere else', () => {
    const { activities } = sketch([
      get('ask', 'https://a.example/'),
      { id: 'set', type: 'set-variable', state: { name: 'n', value: '1' } },
      { id: 'rows', type: 'for-each', state: { items: '[]' } },
      { id: 'call', type: 'call-workflow', state: { workflowId: 'w' } },
      { id: 'end', type: 'finish' },
    ])
    expect(activities.filter(isPinnable).map(({ id }) => id)).toEqual(['ask', 'call'])
  })
})

describe('the steps of a part', () => {
  const document = sketch([
    log('first'),
    {
      id: 'rows',
      type: 'for-each',
      state: { items: '[1]' },
      bodies: {
        body: [
          log('before'),
          {
            id: 'if',
            type: 'condition',
            state: { condition: 'true' },
            bodies: { true: [log('yes')], false: [act('no')] },
          },
          act('post'),
        ],
      },
    },
    { ...act('off'), disabled: true },
    log('last'),
  ])
  const ids = (part: Part, pinned: string[] = []) =>
    stepsOfPart(document, part, new Set(pinned)).map(({ id }) => id)

  test('are all that may be performed', () => {
    expect(ids({ kind: 'whole' })).toEqual(['first', 'rows', 'before', 'if', 'yes', 'no', 'post', 'last'])
    expect(ids({ kind: 'step', activityId: 'before' })).toEqual(['before'])
    expect(ids({ kind: 'step', activityId: 'if' })).toEqual(['if', 'yes', 'no'])
    // A later round comes by everything in the loop again.
    expect(new Set(ids({ kind: 'from', activityId: 'yes' }))).toEqual(
      new Set(['yes', 'rows', 'before', 'if', 'no', 'post', 'last']),
    )
    expect(ids({ kind: 'from', activityId: 'last' })).toEqual(['last'])
    expect(ids({ kind: 'from', activityId: 'gone' })).toEqual([])
    expect(wayTo(document, { kind: 'step', activityId: 'yes' }).map(({ id }) => id)).toEqual(['rows', 'if'])
  })

  test('without those that are pinned tell what cannot be taken back', () => {
    const danger = (part: Part, pinned: string[] = []) =>
      irreversibleAmong(stepsOfPart(document, part, new Set(pinned))).map(({ id }) => id)
    expect(danger({ kind: 'whole' })).toEqual(['no', 'post'])
    expect(danger({ kind: 'whole' }, ['post'])).toEqual(['no'])
    expect(danger({ kind: 'step', activityId: 'before' })).toEqual([])
  })
})
