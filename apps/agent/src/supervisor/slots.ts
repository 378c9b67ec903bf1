import type { Logger } from '../log.ts'
import { ExecutorProcess } from './executor-process.ts'
import type { FromExecutor } from '../executor/protocol.ts'

/** After so many runs an executor is replaced, so that nothing can pile up in it. */
const RUNS_PER_EXECUTOR = 200

interface Slot {
  index: number
  executor: ExecutorProcess | null
  runId: string | null
}

export interface SlotEvents {
  message: (runId: string, message: FromExecutor, executor: ExecutorProcess) => void
  /** The executor ended while it had a run. */
  exit: (runId: string) => void
}

/** The places where runs happen, each with an executor process that stays warm between runs. */
export class Slots {
  readonly #dataDir: string
  readonly #logger: Logger
  readonly #events: SlotEvents
  #count: number
  #slots: Slot[] = []

  constructor(options: { dataDir: string; count: number; logger: Logger; events: SlotEvents }) {
    this.#dataDir = options.dataDir
    this.#logger = options.logger
    this.#events = options.events
    this.#count = options.count
    this.resize(options.count)
  }

  get count(): number {
    return this.#count
  }

  get free(): number {
    const usable = this.#slots.filter(({ index, runId }) => index < this.#count && runId === null)
    return usable.length
  }

  get all(): readonly Readonly<Pick<Slot, 'index' | 'runId'>>[] {
    return this.#slots
  }

  get browsersOpen(): number {
    return this.#slots.filter(({ executor }) => executor?.browserOpen === true).length
  }

  /** Changes the number of slots; one that is too many goes when its run is over. */
  resize(count: number): void {
    this.#count = count
    while (this.#slots.length < count)
      this.#slots.push({ index: this.#slots.length, executor: null, runId: null })
    this.#trim()
  }

  /** Starts executors ahead of their first run. */
  warm(count: number): void {
    for (const slot of this.#slots.slice(0, count)) this.#executorOf(slot)
  }

  /** Occupies a free slot. */
  occupy(runId: string): { index: number; executor: ExecutorProcess } | undefined {
    const slot =
      this.#slots.find(
        ({ index, runId: held, executor }) => index < this.#count && held === null && executor?.alive,
      ) ?? this.#slots.find(({ index, runId: held }) => index < this.#count && held === null)
    if (!slot) return undefined
    slot.runId = runId
    const executor = this.#executorOf(slot)
    executor.runs += 1
    return { index: slot.index, executor }
  }

  /** The executor of an occupied slot. */
  executorOf(runId: string): ExecutorProcess | undefined {
    return this.#slots.find((slot) => slot.runId === runId)?.executor ?? undefined
  }

  /** Gives a slot free again; its executor stays for the next run unless it has done its share. */
  vacate(runId: string): void {
    const slot = this.#slots.find((candidate) => candidate.runId === runId)
    if (!slot) return
    slot.runId = null
    if ((slot.executor?.runs ?? 0) >= RUNS_PER_EXECUTOR) slot.executor?.send({ type: 'retire' })
    this.#trim()
  }

  /** Ends all executors. */
  async close(): Promise<void> {
    const executors = this.#slots.flatMap(({ executor }) => (executor?.alive === true ? [executor] : []))
    for (const executor of executors) executor.send({ type: 'retire' })
    const deadline = Date.now() + 3000
    while (executors.some((executor) => executor.alive) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20))
    for (const executor of executors) executor.kill()
  }

  #executorOf(slot: Slot): ExecutorProcess {
    if (slot.executor?.alive) return slot.executor
    const executor: ExecutorProcess = new ExecutorProcess({
      dataDir: this.#dataDir,
      slot: slot.index,
      logger: this.#logger,
      events: {
        message: (message) => {
          if (slot.runId !== null) this.#events.message(slot.runId, message, executor)
        },
        exit: () => {
          if (slot.executor !== executor) return
          slot.executor = null
          if (slot.runId !== null) this.#events.exit(slot.runId)
        },
      },
    })
    slot.executor = executor
    return executor
  }

  #trim(): void {
    for (
      let last = this.#slots.at(-1);
      last && last.index >= this.#count && last.runId === null;
      last = this.#slots.at(-1)
    ) {
      last.executor?.send({ type: 'retire' })
      this.#slots.pop()
    }
  }
}
