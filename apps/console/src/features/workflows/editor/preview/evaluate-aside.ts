import type { Json, JsonObject } from '@weft/workflow/json'
import { neededScope } from '@weft/workflow/interpret/needed-scope'
import { answerOfPaths } from '@weft/workflow/interpret/plain-paths'
import type { EvaluateRequest } from '@weft/workflow/interpret/types'
import type { KnownValues } from '../../model/preview/known-values.ts'
import type { PreviewAnswer, PreviewJob } from './preview-message.ts'
import type { Evaluated } from './use-evaluation.ts'

/** A worker that does not answer within this is ended: a native call can ignore its own deadline. */
const LONGEST_MS = 1000
/** So long it may take to load. */
const LOADING_MS = 20_000
/** Nothing is evaluated on more than this. */
const SCOPE_MAX_CHARS = 256 * 1024

interface Thread {
  worker: Worker
  ready: Promise<boolean>
}

let thread: Thread | null = null
let last: Promise<unknown> = Promise.resolve()
let count = 0

/**
 * Evaluates a text in a thread of its own, limited in time, memory and size; null where that is not possible here, or
 * where nobody wants to know any more when its turn comes: of what is typed quickly only the last waits.
 */
export async function evaluateAside(
  request: EvaluateRequest,
  { known, further, signal }: { known: KnownValues; further: JsonObject; signal: AbortSignal },
): Promise<Evaluated | null> {
  const found = answerOfPaths(known, request)
  if (found !== undefined) return { ok: true, value: found }
  const scope = JSON.stringify({ ...neededScope(known, [request]).scope, ...further })
  if (scope.length > SCOPE_MAX_CHARS) return null
  // One after the other: the time of each is its own.
  const mine = last.then(() => (signal.aborted ? null : ask(request, scope)))
  last = mine
  return mine
}

async function ask(request: EvaluateRequest, scope: string): Promise<Evaluated | null> {
  thread ??= start()
  const { worker, ready } = thread
  if (!(await ready)) return null
  count += 1
  const job: PreviewJob = { id: count, request, scope }
  const answer = await answerOf(
    worker,
    LONGEST_MS,
    (said) => typeof said === 'object' && said.id === job.id,
    // A thread has no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    () => worker.postMessage(job),
  )
  if (answer === null || answer === 'ready' || answer.leaving) end(worker)
  if (answer === null || answer === 'ready') return null
  const { result } = answer
  if (!result.ok) return { ok: false, message: result.message }
  const value: Json = JSON.parse(result.text)
  return { ok: true, value }
}

function start(): Thread {
  const worker = new Worker(new URL('./preview-worker.ts', import.meta.url), {
    type: 'module',
    name: 'sandbox',
  })
  const ready = answerOf(worker, LOADING_MS, (said) => said === 'ready').then((said) => said !== null)
  return { worker, ready }
}

function end(worker: Worker): void {
  worker.terminate()
  if (thread?.worker === worker) thread = null
}

/** The next message that fits; null where none comes in time or the thread fails. */
function answerOf(
  worker: Worker,
  milliseconds: number,
  fits: (said: PreviewAnswer) => boolean,
  begin?: () => void,
): Promise<PreviewAnswer | null> {
  return new Promise((resolve) => {
    const settle = (said: PreviewAnswer | null) => {
      clearTimeout(timer)
      worker.removeEventListener('message', hear)
      worker.removeEventListener('error', fail)
      resolve(said)
    }
    const hear = ({ data }: MessageEvent<PreviewAnswer>) => {
      if (fits(data)) settle(data)
    }
    const fail = () => settle(null)
    const timer = setTimeout(fail, milliseconds)
    worker.addEventListener('message', hear)
    worker.addEventListener('error', fail)
    begin?.()
  })
}
