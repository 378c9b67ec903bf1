import { runInNewContext } from 'node:vm'
import { StepError } from '../errors.ts'
import { execute } from '../interpret.ts'
import type {
  ActivityRunners,
  Clock,
  Evaluate,
  ExecuteOptions,
  ExecutionResult,
  JournalEvent,
} from '../interpret.ts'
import type { Json } from '../json.ts'

/** Evaluates in this process, which only a test may do. */
export const evaluateHere: Evaluate = async (requests, scope) =>
  requests.map((request) => {
    const one = (expression: string): Json => {
      const text: unknown = runInNewContext(`JSON.stringify((${expression}) ?? null)`, structuredClone(scope))
      return JSON.parse(String(text)) as Json
    }
    try {
      if (request.kind === 'expression') return { ok: true, value: one(request.expression) }
      const pieces = request.parts.map((part) => {
        if (part.kind === 'text') return part.text
        const value = one(part.expression)
        return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
      })
      return { ok: true, value: pieces.join('') }
    } catch (error) {
      return { ok: false, code: 'expression.error', message: String(error) }
    }
  })

/** A clock that jumps to the next sleeper as soon as nothing else is going on. */
export function jumpingClock(): Clock {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const sleepers: { at: number; wake: () => void }[] = []
  const jump = () => {
    sleepers.sort((a, b) => a.at - b.at)
    const next = sleepers.shift()
    if (!next) return
    time = Math.max(time, next.at)
    next.wake()
  }
  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const give = () => {
          const at = sleepers.indexOf(sleeper)
          if (at >= 0) sleepers.splice(at, 1)
          const reason: unknown = signal.reason
          reject(reason instanceof StepError ? reason : new StepError('Cancelled', 'cancelled'))
        }
        const wake = () => {
          signal.removeEventListener('abort', give)
          resolve()
        }
        const sleeper = { at: time + ms, wake }
        if (signal.aborted) {
          give()
          return
        }
        signal.addEventListener('abort', give, { once: true })
        sleepers.push(sleeper)
        setTimeout(jump, 1)
      }),
  }
}

const notExpected = (type: string) => () =>
  Promise.reject(new StepError('Internal', `The test did not expect ${type}.`))

/** Runners that fail, for a test to replace those that it uses. */
export const noRunners: ActivityRunners = {
  'open-page': notExpected('open-page'),
  click: notExpected('click'),
  fill: notExpected('fill'),
  select: notExpected('select'),
  'press-key': notExpected('press-key'),
  'upload-file': notExpected('upload-file'),
  'wait-for': notExpected('wait-for'),
  'open-tab': notExpected('open-tab'),
  'switch-tab': notExpected('switch-tab'),
  screenshot: notExpected('screenshot'),
  extract: notExpected('extract'),
  assert: notExpected('assert'),
  download: notExpected('download'),
  'http-request': notExpected('http-request'),
  'sign-in': notExpected('sign-in'),
  'save-session': notExpected('save-session'),
}

/** A run with fake I/O and what it told. */
export interface FakeRun {
  result: ExecutionResult
  events: JournalEvent[]
  /** The journal in one line per entry, for comparison. */
  lines: string[]
}

/** Runs a document with a journal that remembers, a clock that jumps and an evaluator of this process. */
export async function runFake(
  options: Partial<ExecuteOptions> & Pick<ExecuteOptions, 'document'>,
): Promise<FakeRun> {
  const events: JournalEvent[] = []
  const result = await execute({
    bindings: { inputs: {}, run: { id: 'run-1', attempt: 1 } },
    evaluate: evaluateHere,
    journal: (event) => {
      events.push(event)
    },
    clock: jumpingClock(),
    signal: new AbortController().signal,
    ...options,
    runners: { ...noRunners, ...options.runners },
  })
  return { result, events, lines: events.map(describe) }
}

function describe(event: JournalEvent): string {
  const at = `${event.path === '' ? '' : `${event.path}/`}${event.stepId}`
  switch (event.kind) {
    case 'step.started':
      return `> ${at}${event.attempt > 1 ? ` #${event.attempt}` : ''}`
    case 'step.finished':
      return `< ${at} ${event.error?.class ?? (event.status === 'skipped' ? 'skipped' : (event.outcome ?? 'end'))}`
    case 'intent':
      return `! ${at}`
    case 'confirm':
      return `. ${at} ${event.effect}`
    case 'log':
      return `${at}: ${event.message}`
    case 'waiting':
      return `~ ${at} ${event.for} ${event.seconds}`
    case 'going':
      return `~ ${at} on`
    default:
      return `${at}* ${event.title}`
  }
}
