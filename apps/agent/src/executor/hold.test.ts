import { describe, expect, it } from 'vitest'
import type { ExecutionResult, HoldEnd } from '@weft/workflow/interpret'
import type { Question } from '@weft/workflow/question'
import { leftSchema } from '@weft/contract/agents/reports'
import { goOnOf, holdTold, takeAlong, waitingIn } from './hold.ts'
import { Masker } from './mask.ts'
import type { ExecutorRequest } from './protocol.ts'

const question: Question = {
  title: 'Send to hunter22?',
  text: 'It is hunter22.',
  fields: [{ name: 'ok', label: 'Use hunter22', kind: 'choice', required: true, options: ['yes', 'no'] }],
  who: 'people',
  names: ['mara'],
}
const place = { stepId: 'ask', name: 'Ask about hunter22', path: 'rows:body[1]' }
const noTabs = { peek: () => undefined, tabs: () => [] }
const masker = () => {
  const known = new Masker()
  known.add('hunter22')
  return known
}
const held = (vars: Record<string, string>): Pick<ExecutionResult, 'held'> => ({
  held: {
    request: { kind: 'question', seconds: 600, question },
    place,
    state: { segments: [], stepId: { id: 'ask', attempt: 2 }, vars, steps: {}, spentMs: 10, started: 3 },
  },
})

describe('what a run leaves', () => {
  it('asks without secrets, and keeps its state as it is, for the next one to read', () => {
    const left = holdTold(held({ password: 'hunter22' }), noTabs, masker())
    if (!left) throw new Error('It left nothing.')
    expect(leftSchema.parse(left)).toEqual(left)
    const { state, ...told } = left
    expect(JSON.stringify(told)).not.toContain('hunter22')
    expect(told).toMatchObject({
      kind: 'question',
      stepId: 'ask',
      question: { who: 'people', names: ['mara'] },
    })
    const end: HoldEnd = { ending: 'answered', answers: { ok: 'yes' }, by: 'mara' }
    expect(goOnOf({ goOn: { state, end, snapshot: null } })).toEqual({
      goOn: { state: held({ password: 'hunter22' }).held?.state, end },
      hidden: ['hunter22'],
      pages: [],
    })
    expect(goOnOf({ goOn: null })).toBeNull()
    expect(holdTold({ held: null }, noTabs, masker())).toBeNull()
  })

  it('is no more than may be kept', () => {
    const much = held({ text: 'x'.repeat(1024 * 1024) })
    expect(() => holdTold(much, noTabs, masker())).toThrow('more than 1048576 bytes')
  })

  it('takes along what sites keep; where that does not come, it says so and goes on without', async () => {
    const said: string[] = []
    const warn = (text: string) => said.push(text)
    expect(await takeAlong(() => Promise.resolve({ cookies: 1 }), warn)).toEqual({ cookies: 1 })
    expect(said).toEqual([])
    expect(await takeAlong(() => new Promise(() => undefined), warn, 5)).toBeNull()
    expect(await takeAlong(() => Promise.reject(new Error('Target crashed')), warn)).toBeNull()
    expect(said).toEqual([
      expect.stringMatching(/not be taken along: the browser did not answer in time\. .* signed out/),
      expect.stringContaining('Target crashed'),
    ])
  })
})

describe('a wait that does not leave the run', () => {
  const asking = (answers: unknown[]) => {
    const asked: ExecutorRequest[] = []
    const request = (one: ExecutorRequest) => {
      asked.push(one)
      return Promise.resolve(answers.shift() ?? null)
    }
    return { asked, channel: { request } }
  }

  it('asks until it is over, by one number for each wait', async () => {
    const end = { ending: 'answered', answers: { ok: 'no' }, by: 'mara' }
    const { asked, channel } = asking([null, end, { ending: 'due', answers: {}, by: null }])
    const wait = waitingIn(channel, masker(), 1)
    const { signal } = new AbortController()
    expect(await wait({ kind: 'question', seconds: 600, question }, place, signal)).toEqual(end)
    expect(await wait({ kind: 'time', seconds: 300 }, place, signal)).toMatchObject({ ending: 'due' })
    expect(asked.map((one) => one.kind === 'wait' && one.seq)).toEqual([1, 1, 2])
    expect(JSON.stringify(asked)).not.toContain('hunter22')
  })

  it('ends when the run is stopped, and not at an answer that is none', async () => {
    const stop = new AbortController()
    const wait = waitingIn(asking([]).channel, masker(), 1)
    const waiting = wait({ kind: 'time', seconds: 300 }, place, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
    const odd = waitingIn(asking([{ ending: 'maybe' }]).channel, masker(), 1)
    await expect(odd({ kind: 'time', seconds: 300 }, place, new AbortController().signal)).rejects.toThrow()
  })
})
