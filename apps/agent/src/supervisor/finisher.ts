import type { finishInput, finishResultSchema } from '@weft/contract/agents/reports'
import type { z } from 'zod'
import type { AgentApi } from '../connection/api.ts'
import { Backoff, isPassing, pause } from '../connection/backoff.ts'
import { describeError, type Logger } from '../log.ts'
import type { RunJournal } from './journal.ts'
import type { Reporter } from './reporter.ts'

type Finish = z.input<typeof finishInput>['runs'][number]
type Result = z.infer<typeof finishResultSchema>['results'][number]

interface Waiting {
  journal: RunJournal
  logBytes: () => number
  resolve: (status: 'accepted' | 'superseded') => void
  /** Tries alone, since a call that names it together with others was refused. */
  alone: boolean
}

const MAX_RUNS = 32
const MAX_EVENTS = 500
const MAX_BYTES = 4 * 1024 * 1024

/** Tells the server that runs are over, several in a call, until it has answered for each. */
export class Finisher {
  readonly #api: AgentApi
  readonly #reporter: Reporter
  readonly #logger: Logger
  readonly #signal: AbortSignal
  #waiting: Waiting[] = []
  #running = false

  constructor(options: { api: AgentApi; reporter: Reporter; logger: Logger; signal: AbortSignal }) {
    this.#api = options.api
    this.#reporter = options.reporter
    this.#logger = options.logger
    this.#signal = options.signal
  }

  /** Resolves when the server has settled the run; while it cannot be reached, this waits. */
  async finish(journal: RunJournal, logBytes: () => number): Promise<'accepted' | 'superseded'> {
    const { promise, resolve } = Promise.withResolvers<'accepted' | 'superseded'>()
    this.#waiting.push({ journal, logBytes, resolve, alone: false })
    void this.#pump()
    return promise
  }

  async #pump(): Promise<void> {
    if (this.#running) return
    this.#running = true
    const backoff = new Backoff()
    // Runs that end in the same moment go together.
    await pause(5)
    while (this.#waiting.length > 0 && !this.#signal.aborted) {
      const batch = this.#take()
      try {
        await this.#send(batch)
        backoff.reset()
      } catch (error) {
        this.#waiting.push(...batch)
        if (this.#signal.aborted) break
        if (!isPassing(error)) {
          this.#logger.error('The end of runs was refused.', {
            error: describeError(error),
            runs: batch.length,
          })
          for (const entry of batch) entry.alone = true
        }
        await pause(batch.length > 1 && !isPassing(error) ? 0 : backoff.delayMs(error), this.#signal)
      }
    }
    this.#running = false
  }

  #take(): Waiting[] {
    const [first] = this.#waiting
    const count = first?.alone ? 1 : MAX_RUNS
    const batch = this.#waiting.filter((entry, index) => index === 0 || !entry.alone).slice(0, count)
    this.#waiting = this.#waiting.filter((entry) => !batch.includes(entry))
    return batch
  }

  async #send(batch: Waiting[]): Promise<void> {
    let room = MAX_BYTES
    const runs = batch.flatMap(({ journal, logBytes }): Finish[] => {
      if (!journal.finish) return []
      const { runId, leaseToken } = journal.holder
      const events = journal.after(journal.acked, MAX_EVENTS)
      room -= JSON.stringify(events).length
      // What does not fit goes with the reporter, and the server asks for it.
      const fitting = room > 0 ? events : []
      const counts = { eventCount: journal.eventCount, logBytes: logBytes() }
      return [{ runId, leaseToken, ...journal.finish.body, ...counts, events: fitting }]
    })
    const { results } = await this.#api.finish({ runs }, { timeoutMs: 60_000 })
    for (const entry of batch) {
      const result = results.find(({ runId }) => runId === entry.journal.holder.runId)
      await this.#answer(entry, result)
    }
  }

  async #answer(entry: Waiting, result: Result | undefined): Promise<void> {
    const { journal } = entry
    if (result?.status !== 'sendMore') {
      entry.resolve(result?.status ?? 'superseded')
      return
    }
    journal.acknowledge(result.from - 1)
    if (journal.after(result.from - 1, 1)[0]?.seq !== result.from) {
      this.#logger.error('The server misses events that it had acknowledged.', { run: journal.holder.runId })
      entry.resolve('superseded')
      return
    }
    this.#waiting.push(entry)
    const more = this.#reporter.acknowledged(journal.holder.runId, journal.eventCount)
    // Refused events mean that the run is over; the next answer says so.
    await Promise.race([more.catch(() => undefined), pause(2000, this.#signal)])
  }
}
