import { describe, expect, test } from 'vitest'
import { StepError } from '../errors.ts'
import type { JournalEvent } from './types.ts'
import { realClock } from './signals.ts'
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
