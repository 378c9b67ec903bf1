import { SIZE_LIMITS } from './protocol.ts'
import type { EvaluateErrorCode, EvaluateRequest, EvaluateResult, Json, TemplatePart } from './protocol.ts'
import { Worker } from './worker.ts'
import type { Ended, WorkerLimits } from './worker.ts'

export type { EvaluateErrorCode, EvaluateRequest, EvaluateResult, Json, TemplatePart } from './protocol.ts'

/** How a sandbox is made. */
export interface SandboxOptions extends Partial<WorkerLimits> {
  /** Children at work at the same time. */
  size?: number
}

/** Evaluates expressions that nobody vouches for, in child processes. It never throws; failures are answers. */
export interface Sandbox {
  /** The value of one expression. */
  evaluate: (expression: string, scope: Json, signal?: AbortSignal) => Promise<EvaluateResult>
  /** The text of a template: literal pieces and the texts of its expressions. */
  evaluateTemplate: (parts: TemplatePart[], scope: Json, signal?: AbortSignal) => Promise<EvaluateResult>
  /** Several over one scope, in one trip; the answers are in their order, and one that fails does not touch others. */
  evaluateMany: (requests: EvaluateRequest[], scope: Json, signal?: AbortSignal) => Promise<EvaluateResult[]>
  /** Ends all children; what is under way is answered as cancelled. */
  close: () => Promise<void>
}

const DEFAULTS: Required<SandboxOptions> = {
  size: 1,
  interruptMs: 100,
  timeoutMs: 250,
  runtimeMemoryMb: 32,
  memoryMb: 256,
}
/** After this many children in a row that did not even start, nobody is kept waiting. */
const MAX_FAILED_STARTS = 3

interface Job {
  id: number
  requests: EvaluateRequest[]
  scopeText: string
  results: EvaluateResult[]
  settle: (results: EvaluateResult[]) => void
}

/** Makes a sandbox. Children start when the first work comes, stay while idle, and are replaced when they end. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { size, ...limits } = { ...DEFAULTS, ...options }
  const pool = new Pool(size, limits)
  const evaluateMany = (requests: EvaluateRequest[], scope: Json, signal?: AbortSignal) =>
    pool.evaluate(requests, scope, signal)
  const evaluateOne = async (request: EvaluateRequest, scope: Json, signal?: AbortSignal) => {
    const [result] = await evaluateMany([request], scope, signal)
    return result ?? failed('expression.error', 'There was no answer.')
  }
  return {
    evaluate: (expression, scope, signal) => evaluateOne({ kind: 'expression', expression }, scope, signal),
    evaluateTemplate: (parts, scope, signal) => evaluateOne({ kind: 'template', parts }, scope, signal),
    evaluateMany,
    close: () => pool.close(),
  }
}

class Pool {
  private readonly size: number
  private readonly limits: WorkerLimits
  private readonly workers = new Set<Worker>()
  private readonly queue: Job[] = []
  private readonly goneListeners = new Set<() => void>()
  private closed = false
  private lastId = 0
  private failedStarts = 0

  constructor(size: number, limits: WorkerLimits) {
    this.size = Math.max(1, size)
    this.limits = limits
  }

  evaluate(requests: EvaluateRequest[], scope: Json, signal?: AbortSignal): Promise<EvaluateResult[]> {
    const all = (result: EvaluateResult) => Promise.resolve(requests.map(() => result))
    if (this.closed || signal?.aborted) return all(failed('expression.cancelled', 'It was called off.'))
    if (requests.length === 0) return Promise.resolve([])
    const scopeText = JSON.stringify(scope)
    if (isLonger(scopeText, SIZE_LIMITS.scope)) {
      return all(failed('expression.too_large', 'The values that the expression works on are too large.'))
    }
    const tooLarge = requests.map(isTooLarge)
    const fitting = requests.filter((_, index) => !tooLarge[index])
    return this.enqueue(fitting, scopeText, signal).then((results) => {
      let at = 0
      return requests.map((_, index) => {
        if (tooLarge[index]) return failed('expression.too_large', 'The expression is too long.')
        const result = results[at] ?? failed('expression.error', 'There was no answer.')
        at += 1
        return result
      })
    })
  }

  private enqueue(
    requests: EvaluateRequest[],
    scopeText: string,
    signal: AbortSignal | undefined,
  ): Promise<EvaluateResult[]> {
    if (requests.length === 0) return Promise.resolve([])
    return new Promise((resolve) => {
      this.lastId += 1
      const job: Job = { id: this.lastId, requests, scopeText, results: [], settle: resolve }
      const callOff = () => this.callOff(job)
      job.settle = (results) => {
        signal?.removeEventListener('abort', callOff)
        resolve(results)
      }
      signal?.addEventListener('abort', callOff, { once: true })
      this.queue.push(job)
      this.dispatch()
    })
  }

  /** What waits is taken back; what is under way ends by itself in a moment and is answered then. */
  private callOff(job: Job): void {
    const at = this.queue.indexOf(job)
    if (at === -1) return
    this.queue.splice(at, 1)
    this.answerRest(job, failed('expression.cancelled', 'It was called off.'))
  }

  private answerRest(job: Job, result: EvaluateResult): void {
    job.settle(job.requests.map((_, index) => job.results[index] ?? result))
  }

  private dispatch(): void {
    for (const worker of this.workers) {
      if (!worker.isFree) continue
      const job = this.queue.shift()
      if (!job) return
      this.give(worker, job)
    }
    const wanted = Math.min(this.size, this.workers.size + this.queue.length)
    while (this.workers.size < wanted) this.start()
  }

  private start(): void {
    let started = false
    const worker: Worker = new Worker(
      this.limits,
      () => {
        started = true
        this.failedStarts = 0
        this.dispatch()
      },
      () => {
        this.workers.delete(worker)
        this.goneListeners.forEach((listener) => listener())
        if (!started) this.failedStarts += 1
        // Where children cannot start at all, trying for ever would hang everybody who waits.
        if (this.failedStarts >= MAX_FAILED_STARTS) this.refuseAll()
        else if (!this.closed) this.dispatch()
      },
    )
    this.workers.add(worker)
  }

  private refuseAll(): void {
    this.failedStarts = 0
    for (const job of this.queue.splice(0)) {
      this.answerRest(job, failed('expression.error', 'The sandbox could not be started.'))
    }
  }

  private give(worker: Worker, job: Job): void {
    worker.take({
      id: job.id,
      requests: job.requests.slice(job.results.length),
      scopeText: job.scopeText,
      onResult: (_, result) =>
        job.results.push(result.ok ? readValue(result.text) : failed(result.code, result.message)),
      onDone: () => {
        job.settle(job.results)
        this.dispatch()
      },
      onEnded: (why, announced) => this.takeUpAgain(job, why, announced),
    })
  }

  /**
   * The child ended in the middle of a job. Unless it had announced that, the request that it was at has ended it and is
   * not tried again. The rest of the job goes to another child.
   */
  private takeUpAgain(job: Job, why: Ended, announced: boolean): void {
    if (this.closed) {
      this.answerRest(job, failed('expression.cancelled', 'The sandbox was closed.'))
      return
    }
    if (!announced) job.results.push(failed(why.code, why.message))
    if (job.results.length >= job.requests.length) job.settle(job.results)
    else this.queue.unshift(job)
  }

  async close(): Promise<void> {
    this.closed = true
    for (const job of this.queue.splice(0)) {
      this.answerRest(job, failed('expression.cancelled', 'The sandbox was closed.'))
    }
    const gone = new Promise<void>((resolve) => {
      const check = () => {
        if (this.workers.size === 0) resolve()
      }
      this.goneListeners.add(check)
      check()
    })
    for (const worker of this.workers) {
      worker.kill({ code: 'expression.cancelled', message: 'The sandbox was closed.' })
    }
    await gone
  }
}

function failed(code: EvaluateErrorCode, message: string): EvaluateResult {
  return { ok: false, code, message }
}

const isLonger = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes)

function isTooLarge(request: EvaluateRequest): boolean {
  const text =
    request.kind === 'expression'
      ? request.expression
      : request.parts.map((part) => (part.kind === 'text' ? part.text : part.expression)).join('')
  return isLonger(text, SIZE_LIMITS.expression)
}

const FORBIDDEN = /"(?:__proto__|constructor|prototype)"\s*:/
/** Keys that reach a prototype when an object is copied carelessly are left out of every value. */
const withoutForbidden = (key: string, value: unknown): unknown =>
  key === '__proto__' || key === 'constructor' || key === 'prototype' ? undefined : value

function readValue(text: string): EvaluateResult {
  try {
    // A key may be written with escapes; then the careful way is taken as well.
    const suspicious = FORBIDDEN.test(text) || text.includes('\\u')
    const value: Json = suspicious ? JSON.parse(text, withoutForbidden) : JSON.parse(text)
    return { ok: true, value }
  } catch {
    return failed('expression.error', 'The value is no JSON.')
  }
}
