import { runs } from '@weft/contract/runs/api'
import { testRunMessageSchema } from '@weft/contract/test-runs/schema'
import { workflowTests } from '@weft/contract/workflow-tests/api'
import type { InputOf } from '@weft/contract/core/endpoint'
import type { WorkflowDocument } from '@weft/workflow/document'
import type { JsonObject } from '@weft/workflow/json'
import { call } from '../../../../../lib/api.ts'
import { store, type Store } from '../../../../../lib/emitter.ts'
import type { Failure } from '../../../../../lib/failure.ts'
import { randomKey } from '../../../../../lib/id.ts'
import { invalidateFeatures } from '../../../../../lib/query.ts'
import { testRunTold } from '../../../../../lib/realtime/test-runs.ts'
import { toWire } from '../../server-document.ts'
import { isIrreversibleRefusal, refusalOf, type Refusal } from '../refusal.ts'

/** Where the tests are that somebody asked to be run. */
export interface QueueState {
  waiting: readonly string[]
  current: { testId: string; runId: string | null } | null
  /** Why a test was not started, by its id. */
  refused: ReadonlyMap<string, Refusal>
  /** Why none of the rest was started. */
  halted: Refusal | null
  stopping: boolean
}

/** What is to be run, and with what. */
export interface QueueOrder {
  testIds: readonly string[]
  /** All of them try this document, whatever is edited meanwhile. */
  document: WorkflowDocument
  clientId: string | null
  /** The inputs that tests do not keep. */
  secrets: JsonObject
  /** Asks whether what cannot be taken back is to happen for real. */
  ask: (refusal: Failure) => Promise<boolean>
  /** A run has begun. */
  begun: (runId: string) => void
}

/** How the queue reaches the server. */
export interface QueueCalls {
  run: (input: InputOf<typeof workflowTests.run>) => Promise<{ id: string }>
  cancel: (runId: string) => Promise<unknown>
  isOver: (runId: string) => Promise<boolean>
}

const SERVER: QueueCalls = {
  run: (input) => call(workflowTests.run, input, { idempotencyKey: randomKey() }),
  cancel: (id) => call(runs.cancel, { id }),
  isOver: async (id) => (await call(runs.get, { id })).cycle === 'finished',
}
const IDLE: QueueState = { waiting: [], current: null, refused: new Map(), halted: null, stopping: false }
const WHOLE = { kind: 'whole' } as const
/** What concerns one test alone: the others may go on. */
const OF_ONE: readonly string[] = [
  'request.invalid',
  'record.not_found',
  'record.in_use',
  'testRun.irreversible',
]
/** A run is looked at this often; where the hub works, its end is told at once. */
const LOOK_EVERY_MS = 1500
const MOST_FAILED_LOOKS = 20

/** Runs workflow tests in turn: the server takes one test run of a person and workflow at a time. */
export class TestQueue {
  readonly state: Store<QueueState> = store(IDLE)
  readonly #calls: QueueCalls
  /** Some of what was asked for is not done any more. */
  #cutShort = false
  #left = false

  constructor(calls: QueueCalls = SERVER) {
    this.#calls = calls
  }

  get busy(): boolean {
    return this.state.get().current !== null
  }

  /** Runs tests; true once all of them have been run to their end, however they came out. */
  async run(order: QueueOrder): Promise<boolean> {
    if (this.busy) return false
    const [first] = order.testIds
    if (first === undefined) return true
    this.#cutShort = false
    this.#left = false
    this.state.set({ ...IDLE, waiting: order.testIds, current: { testId: first, runId: null } })
    let allowed = false
    const allow = async (refusal: Failure) => (allowed ||= await order.ask(refusal))
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      try {
        await this.#one(next, order, allow, allowed)
      } catch (error) {
        const refusal = refusalOf(error, WHOLE)
        const refused = new Map(this.state.get().refused).set(next, refusal)
        if (OF_ONE.includes(refusal.code)) this.#put({ refused })
        else this.#put({ waiting: [], halted: refusal })
      }
      await invalidateFeatures(['workflowTests', 'testRuns'])
    }
    const { refused, halted } = this.state.get()
    this.#put({ current: null, stopping: false })
    return refused.size === 0 && halted === null && !this.#cutShort
  }

  /** Ends the run that is under way, and begins none of the others. */
  async stop(): Promise<void> {
    this.#cutShort = true
    this.#put({ waiting: [], stopping: true })
    const runId = this.state.get().current?.runId
    if (runId) await this.#cancel(runId)
  }

  /** Nobody is there any more to see what comes of them: none of the others is begun. What runs goes on by itself. */
  leave(): void {
    this.#left = true
    this.#cutShort ||= this.busy
    this.#put({ waiting: [] })
  }

  /** Where it cannot be stopped, it goes on, and may be tried again. */
  async #cancel(id: string): Promise<void> {
    try {
      await this.#calls.cancel(id)
    } catch (error) {
      this.#put({ stopping: false })
      throw error
    }
  }

  /** Forgets why tests were not started. */
  forget(): void {
    this.#put({ halted: null, refused: new Map() })
  }

  #next(): string | undefined {
    const [next, ...waiting] = this.state.get().waiting
    if (next !== undefined) this.#put({ waiting, current: { testId: next, runId: null } })
    return next
  }

  async #one(
    id: string,
    order: QueueOrder,
    allow: (refusal: Failure) => Promise<boolean>,
    allowed: boolean,
  ): Promise<void> {
    const { document, clientId, secrets: inputs } = order
    const send = (allowIrreversible: boolean) =>
      this.#calls.run({ id, document: toWire(document), clientId, inputs, allowIrreversible })
    const run = await send(allowed).catch(async (error: unknown) => {
      if (!isIrreversibleRefusal(error) || !(await allow(error))) throw error
      return send(true)
    })
    this.#put({ current: { testId: id, runId: run.id } })
    order.begun(run.id)
    if (this.state.get().stopping)
      await this.#cancel(run.id).catch((error: unknown) => this.#put({ halted: refusalOf(error, WHOLE) }))
    await this.#ended(run.id)
  }

  /** Waits until a run is over, or nobody is there any more. */
  async #ended(id: string): Promise<void> {
    let failed = 0
    while (!this.#left) {
      await toldOrLater(id)
      try {
        if (await this.#calls.isOver(id)) return
        failed = 0
      } catch (error) {
        // The network may be away for a moment; the run goes on.
        failed += 1
        if (failed >= MOST_FAILED_LOOKS) throw error
      }
    }
  }

  #put(changes: Partial<QueueState>): void {
    this.state.set({ ...this.state.get(), ...changes })
  }
}

function toldOrLater(id: string): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stop()
      clearTimeout(timer)
      resolve()
    }
    const stop = testRunTold.on((told) => {
      const message = testRunMessageSchema.safeParse(told).data
      if (message?.runId === id && message.ended) settle()
    })
    const timer = setTimeout(settle, LOOK_EVERY_MS)
  })
}
