import { expect, vi } from 'vitest'
import type { z } from 'zod'
import type { Job } from '@weft/contract/agents/jobs'
import type { finishInput, RunEventMessage } from '@weft/contract/agents/reports'
import type { InputOf } from '@weft/contract/core/endpoint'
import type { agents } from '@weft/contract/agents/api'
import type { TestAgent } from '../../testing/agent.ts'

/** What an agent shows of a run it holds. */
export interface Holder {
  runId: string
  leaseToken: string
}
type Finish = z.input<typeof finishInput>['runs'][number]
type Beat = InputOf<typeof agents.heartbeat>

/** An event without what all of them carry. */
export type Told =
  | { type: 'stepStarted'; name?: string }
  | { type: 'stepFinished'; state?: 'succeeded' | 'failed' }
  | { type: 'intent' }
  | { type: 'confirm'; effect: 'done' | 'none' }
  | { type: 'waiting' }
  | { type: 'going' }

/** An agent whose every call a test makes by hand, so that it can also be wrong, late or silent. */
export class HandAgent {
  readonly clientId: string
  readonly calls: TestAgent['calls']
  readonly commands: TestAgent['commands']
  readonly #agent: TestAgent
  readonly #seen = new Set<string>()
  readonly #offers: Holder[] = []
  #seq = 0

  constructor(agent: TestAgent) {
    this.#agent = agent
    this.clientId = agent.clientId
    this.calls = agent.calls
    this.commands = agent.commands
  }

  /** Tells that it is there; gives what it is to do. */
  async beat(how: Partial<Beat> = {}) {
    this.#seq += 1
    const { commands } = await this.calls.heartbeat({
      seq: this.#seq,
      clock: new Date().toISOString(),
      slots: [],
      freeSlots: 1,
      userIns: 0,
      cpu: null,
      memMb: null,
      diskFreeMb: null,
      localIp: null,
      refusing: null,
      state: 'running',
      ...how,
    })
    return commands
  }

  /** The offers that it has now and that were not taken from here before. */
  async offers(): Promise<Holder[]> {
    for (const command of await this.beat()) {
      if (command.type !== 'offer' || this.#seen.has(command.runId)) continue
      this.#seen.add(command.runId)
      this.#offers.push({ runId: command.runId, leaseToken: command.leaseToken })
    }
    return this.#offers.splice(0)
  }

  /** Waits for so many offers; further ones are left for later. */
  async offered(count = 1): Promise<Holder[]> {
    const got: Holder[] = []
    await vi.waitFor(
      async () => {
        got.push(...(await this.offers()))
        expect(got.length).toBeGreaterThanOrEqual(count)
      },
      { timeout: 30_000, interval: 60 },
    )
    this.#offers.push(...got.splice(count))
    return got
  }

  /** Waits for one offer. */
  async offer(): Promise<Holder> {
    return only(await this.offered(1))
  }

  /** Makes sure that nothing is offered for a while: longer than the engine takes to look around. */
  async nothing(forMs = 1300): Promise<void> {
    const end = Date.now() + forMs
    while (Date.now() < end) {
      expect(await this.offers()).toEqual([])
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  /** Claims an offer; gives its job. */
  async claim(holder: Holder): Promise<Job> {
    const { results } = await this.calls.claim({ claims: [holder] })
    const result = only(results)
    if (!result.ok) throw new Error(`the claim was refused: ${result.code}`)
    return result.signed.job
  }

  /** Waits for one offer, claims and starts it. */
  async begin(): Promise<Holder & { job: Job }> {
    const holder = await this.offer()
    const job = await this.claim(holder)
    expect(only((await this.calls.start({ runs: [holder] })).results)).toMatchObject({ ok: true })
    return { ...holder, job }
  }

  async renew(holder: Holder) {
    return only((await this.calls.renew({ runs: [bare(holder)] })).results)
  }

  /** Reports events of one step, numbered from `first` on. */
  async tell(holder: Holder, first: number, ...told: Told[]) {
    const { results } = await this.calls.report({
      runs: [{ ...bare(holder), events: told.map((event, index) => eventOf(event, first + index)) }],
    })
    return only(results)
  }

  async finish(holder: Holder, how: Partial<Finish> = {}) {
    const finish: Finish = {
      ...bare(holder),
      result: 'succeeded',
      error: null,
      outputs: {},
      eventCount: 0,
      logBytes: 0,
      browser: null,
      ...how,
    }
    return only((await this.calls.finish({ runs: [finish] })).results)
  }

  fail(holder: Holder, how: Partial<Finish> = {}) {
    return this.finish(holder, {
      result: 'failed',
      error: { class: 'NotFound', message: 'No such button.', stepId: 'post', stepName: 'Post it' },
      ...how,
    })
  }

  leave(): Promise<void> {
    return this.#agent.stream.stop()
  }
}

const bare = ({ runId, leaseToken }: Holder): Holder => ({ runId, leaseToken })

/** The event as the agent sends it. */
export function eventOf(told: Told, seq: number): RunEventMessage {
  const common = { seq, at: new Date().toISOString(), path: 'post', stepId: 'post' }
  if (told.type === 'stepStarted')
    return {
      ...common,
      type: told.type,
      attempt: 1,
      name: told.name ?? 'Post it',
      activity: 'click',
      input: {},
    }
  if (told.type === 'stepFinished')
    return {
      ...common,
      type: told.type,
      attempt: 1,
      state: told.state ?? 'succeeded',
      outcome: 'done',
      durationMs: 5,
      output: null,
      error: null,
    }
  if (told.type === 'confirm') return { ...common, type: told.type, effect: told.effect }
  if (told.type === 'waiting') return { ...common, type: told.type, reason: 'a person' }
  return { ...common, type: told.type }
}

/** The one entry of a list that must have one. */
export function only<T>(list: readonly T[]): T {
  const [first] = list
  if (first === undefined || list.length !== 1) throw new Error(`there are ${list.length}, not one`)
  return first
}
