import type { AgentParams } from '@weft/contract/agents/sessions'
import type { AgentRefusal, leaseResultSchema } from '@weft/contract/agents/jobs'
import type { z } from 'zod'
import type { AgentApi } from '../connection/api.ts'
import { Backoff, jitter, pause } from '../connection/backoff.ts'
import { describeError, type Logger } from '../log.ts'

interface Lease {
  runId: string
  leaseToken: string
  /** By this process's own steady clock, in milliseconds. */
  endsAt: number
  /** Stop this long before the end. */
  marginMs: number
  lost: boolean
}

type LeaseResult = z.infer<typeof leaseResultSchema>['results'][number]
/** An order to cancel that came with a renewal. */
export type CancelOrder = NonNullable<Extract<LeaseResult, { ok: true }>['cancel']>

export interface LeasesOptions {
  api: AgentApi
  params: () => AgentParams
  logger: Logger
  signal: AbortSignal
  /** The lease ends soon and was not renewed, or the server refused to renew it. */
  onLost: (runId: string, code: AgentRefusal | 'unreachable') => void
  onCancel: (runId: string, order: CancelOrder) => void
}

const CHECK_MS = 250
const MAX_RUNS = 64

/** The time before a lease's end at which work must stop: enough to end a browser in. */
export function marginOf(leaseSeconds: number): number {
  return Math.min(leaseSeconds * 1000 * 0.2, 10_000)
}

/**
 * Holds the leases of all runs: renews them together, and says that one is lost before it ends by this machine's own steady
 * clock, counted from when the renewal was asked for. Wall clocks play no part.
 */
export class Leases {
  readonly #options: LeasesOptions
  readonly #held = new Map<string, Lease>()

  constructor(options: LeasesOptions) {
    this.#options = options
  }

  /** Begins to hold a lease that was given in answer to a call made at `askedAt`. */
  hold(holder: { runId: string; leaseToken: string }, leaseSeconds: number, askedAt: number): void {
    const { runId, leaseToken } = holder
    const endsAt = askedAt + leaseSeconds * 1000
    this.#held.set(runId, { runId, leaseToken, endsAt, marginMs: marginOf(leaseSeconds), lost: false })
  }

  release(runId: string): void {
    this.#held.delete(runId)
  }

  /** Renews and watches until the signal ends it. */
  async run(): Promise<void> {
    const { signal } = this.#options
    const watch = setInterval(() => this.check(performance.now()), CHECK_MS)
    try {
      await this.#renewForEver(signal)
    } finally {
      clearInterval(watch)
    }
  }

  async #renewForEver(signal: AbortSignal): Promise<void> {
    const { params, logger } = this.#options
    const backoff = new Backoff({ firstMs: 500, maxMs: 5000 })
    while (!signal.aborted) {
      let waitMs = jitter(params().renewSeconds * 1000)
      try {
        await this.renew()
        backoff.reset()
      } catch (error) {
        if (signal.aborted) return
        waitMs = Math.min(backoff.delayMs(error), waitMs)
        logger.warn('Leases were not renewed.', { error: describeError(error), waitMs: Math.round(waitMs) })
      }
      await pause(waitMs, signal)
    }
  }

  /** Renews every lease once. */
  async renew(): Promise<void> {
    const { api, params, signal } = this.#options
    const held = [...this.#held.values()].filter((lease) => !lease.lost)
    for (let from = 0; from < held.length; from += MAX_RUNS) {
      const runs = held.slice(from, from + MAX_RUNS).map(({ runId, leaseToken }) => ({ runId, leaseToken }))
      const askedAt = performance.now()
      const timeoutMs = Math.max(1000, Math.min(10_000, params().leaseSeconds * 250))
      const { results } = await api.renew({ runs }, { timeoutMs, signal })
      for (const result of results) this.#take(result, askedAt)
    }
  }

  /** Looks for leases that are about to end. */
  check(now: number): void {
    for (const lease of this.#held.values())
      if (!lease.lost && now > lease.endsAt - lease.marginMs) this.#lose(lease, 'unreachable')
  }

  #take(result: LeaseResult, askedAt: number): void {
    const lease = this.#held.get(result.runId)
    if (!lease || lease.lost) return
    if (!result.ok) {
      this.#lose(lease, result.code)
      return
    }
    lease.endsAt = Math.max(lease.endsAt, askedAt + result.leaseSeconds * 1000)
    lease.marginMs = marginOf(result.leaseSeconds)
    if (result.cancel) this.#options.onCancel(result.runId, result.cancel)
  }

  #lose(lease: Lease, code: AgentRefusal | 'unreachable'): void {
    lease.lost = true
    this.#options.onLost(lease.runId, code)
  }
}
