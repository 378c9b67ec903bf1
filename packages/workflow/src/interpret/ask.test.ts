import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../json.ts'
import { sketch, type StepSketch } from '../testing/builder.ts'
import { runFake } from '../testing/fake-run.ts'
import { DUE, add, holds, long, throughHolds, withSeen } from '../testing/held.ts'

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
