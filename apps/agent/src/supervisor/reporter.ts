import type { AgentRefusal } from '@weft/contract/agents/jobs'
import type { AgentApi } from '../connection/api.ts'
import { Backoff, pause } from '../connection/backoff.ts'
import { describeError, type Logger } from '../log.ts'
import type { RunJournal } from './journal.ts'

/** How long events gather before they go out together. */
const GATHER_MS = 200
const MAX_EVENTS = 500
const MAX_RUNS = 64
const MAX_BYTES = 4 * 1024 * 1024

interface Reported {
  journal: RunJournal
  waiting: { seq: number; resolve: () => void; reject: (error: Error) => void }[]
}

export interface ReporterOptions {
  api: AgentApi
  logger: Logger
  signal: AbortSignal
  /** The server no longer takes reports about this run. */
  onRefused: (runId: string, code: AgentRefusal) => void
}

/** Sends the events of all runs in common batches until the server has acknowledged them. */
export class Reporter {
  readonly #options: ReporterOptions
  readonly #runs = new Map<string, Reported>()
  #wake = Promise.withResolvers<void>()
  #urgent = new AbortController()

  constructor(options: ReporterOptions) {
    this.#options = options
  }

  add(journal: RunJournal): void {
    this.#runs.set(journal.holder.runId, { journal, waiting: [] })
    this.notify()
  }

  remove(runId: string): void {
    const reported = this.#runs.get(runId)
    this.#runs.delete(runId)
    for (const { reject } of reported?.waiting ?? []) reject(new Error('The run is over.'))
  }

  /** There is something to send; with `urgent` at once. */
  notify(urgent = false): void {
    this.#wake.resolve()
    if (urgent) this.#urgent.abort()
  }

  /** Resolves when the server has acknowledged this event; rejects when it never will. */
  async acknowledged(runId: string, seq: number): Promise<void> {
    const reported = this.#runs.get(runId)
    if (!reported) throw new Error('The run is over.')
    if (reported.journal.acked >= seq) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    reported.waiting.push({ seq, resolve, reject })
    this.notify(true)
    await promise
  }

  /** Lets those go who wait for an acknowledgement of this run: it is told to stop, so nothing depends on it any more. */
  release(runId: string): void {
    const reported = this.#runs.get(runId)
    const waiting = reported?.waiting ?? []
    if (reported) reported.waiting = []
    for (const { resolve } of waiting) resolve()
  }

  /** Sends until the signal ends it. */
  async run(): Promise<void> {
    const { signal, logger } = this.#options
    const backoff = new Backoff({ maxMs: 10_000 })
    const ended = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    while (!signal.aborted) {
      await Promise.race([this.#wake.promise, ended])
      await pause(GATHER_MS, AbortSignal.any([signal, this.#urgent.signal]))
      this.#wake = Promise.withResolvers<void>()
      this.#urgent = new AbortController()
      try {
        let progress = true
        while (progress && !signal.aborted) progress = await this.flush()
        backoff.reset()
      } catch (error) {
        if (signal.aborted) return
        const waitMs = backoff.delayMs(error)
        logger.warn('Events wait on disk.', { error: describeError(error), waitMs: Math.round(waitMs) })
        await pause(waitMs, signal)
        this.notify(true)
      }
    }
  }

  /** Sends one batch; tells whether anything was acknowledged. */
  async flush(): Promise<boolean> {
    const runs = this.#gather()
    if (runs.length === 0) return false
    const { results } = await this.#options.api.report({ runs })
    let progress = false
    for (const { runId, ack, code } of results) {
      const reported = this.#runs.get(runId)
      if (!reported) continue
      if (code === 'ok') {
        progress ||= ack > reported.journal.acked
        reported.journal.acknowledge(ack)
        this.#settle(reported)
        continue
      }
      this.remove(runId)
      this.#options.onRefused(runId, code)
    }
    return progress
  }

  #gather() {
    const runs: { runId: string; leaseToken: string; events: ReturnType<RunJournal['after']> }[] = []
    let bytes = 0
    for (const { journal } of this.#runs.values()) {
      if (runs.length >= MAX_RUNS || bytes > MAX_BYTES) break
      const events: ReturnType<RunJournal['after']> = []
      for (const event of journal.after(journal.acked, MAX_EVENTS)) {
        bytes += JSON.stringify(event).length
        if (events.length > 0 && bytes > MAX_BYTES) break
        events.push(event)
      }
      const { runId, leaseToken } = journal.holder
      if (events.length > 0) runs.push({ runId, leaseToken, events })
    }
    return runs
  }

  #settle(reported: Reported): void {
    const { acked } = reported.journal
    for (const { seq, resolve } of reported.waiting) if (seq <= acked) resolve()
    reported.waiting = reported.waiting.filter(({ seq }) => seq > acked)
  }
}
