import type { AgentCommand } from '@weft/contract/agents/sessions'
import type { AgentRefusal, Job } from '@weft/contract/agents/jobs'
import type { WorkflowDocument } from '@weft/workflow/document'
import type { AgentApi } from '../connection/api.ts'
import { isPassing, pause } from '../connection/backoff.ts'
import { describeError, type Logger } from '../log.ts'
import type { Documents } from './documents.ts'
import type { Holder } from './journal.ts'
import type { CancelOrder } from './leases.ts'
import { objection, type Policy } from './policy.ts'
import { isSignedBy } from './verify.ts'

type Offer = Extract<AgentCommand, { type: 'offer' }>

/** A run that is claimed, checked and started: its executor may begin. */
export interface StartedRun {
  holder: Holder
  job: Job
  /** Null for an attended run. */
  document: WorkflowDocument | null
}

export interface IntakeOptions {
  api: AgentApi
  documents: Documents
  policy: Policy
  serverPublicKey: string
  logger: Logger
  signal: AbortSignal
  /** How many more runs fit just now, those under way here not counted; 0 while no work is taken. */
  room: () => number
  /** Whether a run is held already: offers come by two ways. */
  isHeld: (runId: string) => boolean
  /** Writes the run down, before the server is told that it starts. */
  onStarting: (run: StartedRun, lease: { seconds: number; askedAt: number }) => void
  onStarted: (runId: string, lease: { seconds: number; askedAt: number }, cancel: CancelOrder | null) => void
  /** The start was refused: there is nothing to be done and nothing was. */
  onNotStarted: (runId: string, code: AgentRefusal | 'unreachable') => void
}

const MAX_RUNS = 64

type Claimed = Omit<StartedRun, 'document'> & { lease: { seconds: number; askedAt: number } }
type Checked = Claimed & Pick<StartedRun, 'document'>

/** Takes offered runs: claims those of one moment together, checks what it was given, and starts them together. */
export class Intake {
  readonly #options: IntakeOptions
  #queue: Offer[] = []
  readonly #parked = new Map<string, { offer: Offer; until: number }>()
  readonly #underway = new Set<string>()
  #scheduled = false

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** Runs that are on their way in and have no slot yet. */
  get underway(): number {
    return this.#underway.size
  }

  /**
   * Considers an offer. One that does not fit just now waits for room; when its time is over the server offers the run
   * elsewhere.
   */
  offer(offer: Offer): void {
    const { isHeld, room } = this.#options
    if (this.#underway.has(offer.runId) || isHeld(offer.runId)) return
    if (room() - this.#underway.size <= 0) {
      this.#parked.set(offer.runId, { offer, until: performance.now() + offer.deadlineSeconds * 1000 })
      return
    }
    this.#parked.delete(offer.runId)
    this.#underway.add(offer.runId)
    this.#queue.push(offer)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const offers = this.#queue
      this.#queue = []
      void this.#takeAll(offers)
    })
  }

  /** There may be room again: what waited for it is considered anew. */
  reconsider(): void {
    const parked = [...this.#parked.values()]
    this.#parked.clear()
    const now = performance.now()
    for (const { offer, until } of parked)
      if (now < until) this.offer({ ...offer, deadlineSeconds: (until - now) / 1000 })
  }

  async #takeAll(offers: Offer[]): Promise<void> {
    for (let from = 0; from < offers.length; from += MAX_RUNS) {
      const batch = offers.slice(from, from + MAX_RUNS)
      try {
        await this.#take(batch)
      } catch (error) {
        this.#options.logger.error('Offers were not taken.', { error: describeError(error) })
      } finally {
        for (const { runId } of batch) this.#underway.delete(runId)
      }
    }
  }

  async #take(offers: Offer[]): Promise<void> {
    const claimed = await this.#claim(offers)
    const good: Checked[] = []
    const refused: { runId: string; leaseToken: string; reason: string }[] = []
    for (const run of claimed) {
      const { runId, leaseToken } = run.holder
      const checked = await this.#check(run)
      if (typeof checked === 'string') refused.push({ runId, leaseToken, reason: checked.slice(0, 200) })
      else good.push(checked)
    }
    await Promise.all([this.#reject(refused), this.#start(good)])
  }

  async #claim(offers: Offer[]): Promise<Claimed[]> {
    const { api, logger, signal } = this.#options
    const claims = offers.map(({ runId, leaseToken }) => ({ runId, leaseToken }))
    const deadline = performance.now() + Math.min(...offers.map((offer) => offer.deadlineSeconds)) * 1000
    for (;;) {
      const askedAt = performance.now()
      try {
        const { results } = await api.claim({ claims }, { timeoutMs: 10_000, signal })
        return results.flatMap((result): Claimed[] => {
          const offer = offers.find(({ runId }) => runId === result.runId)
          if (!result.ok) {
            logger.debug('A claim was refused.', { run: result.runId, code: result.code })
            return []
          }
          const { job } = result.signed
          if (
            !offer ||
            !isSignedBy(this.#options.serverPublicKey, result.signed) ||
            job.runId !== result.runId
          ) {
            logger.error('A job without the right signature was left alone.', { run: result.runId })
            void this.#reject([{ ...claimOf(offer, result.runId), reason: 'agent.wrong_signature' }])
            return []
          }
          const holder = {
            runId: job.runId,
            attempt: job.attempt,
            fence: job.fence,
            leaseToken: offer.leaseToken,
          }
          const lease = { seconds: result.leaseSeconds, askedAt }
          return [{ holder, job, lease }]
        })
      } catch (error) {
        // The same claim again is answered as the first was, should that have got through.
        if (!isPassing(error) || performance.now() > deadline) throw error
        await pause(500, signal)
        signal.throwIfAborted()
      }
    }
  }

  /** The run with its document, or why it may not run here. */
  async #check(run: Claimed): Promise<Checked | string> {
    const { documents, policy } = this.#options
    const { workflow, attended } = run.job
    if (!workflow)
      return attended && policy.attended !== false ? { ...run, document: null } : 'policy.attended'
    try {
      const document = await documents.get(workflow.hash)
      return objection(policy, workflow.id, document) ?? { ...run, document }
    } catch (error) {
      return `agent.workflow: ${describeError(error)}`
    }
  }

  async #reject(runs: { runId: string; leaseToken: string; reason: string }[]): Promise<void> {
    if (runs.length === 0) return
    const { api, logger } = this.#options
    for (const { runId, reason } of runs) logger.warn('A run was given back.', { run: runId, reason })
    try {
      await api.reject({ runs })
    } catch (error) {
      logger.warn('Giving runs back did not get through; their leases will end.', {
        error: describeError(error),
      })
    }
  }

  async #start(claimed: Checked[]): Promise<void> {
    if (claimed.length === 0) return
    const { api, onStarting, onStarted, onNotStarted, logger, signal } = this.#options
    for (const run of claimed) {
      onStarting(run, run.lease)
      // From here on it has a slot, and is counted there.
      this.#underway.delete(run.holder.runId)
    }
    const runs = claimed.map(({ holder: { runId, leaseToken } }) => ({ runId, leaseToken }))
    for (;;) {
      const askedAt = performance.now()
      try {
        const { results } = await api.start({ runs }, { timeoutMs: 10_000, signal })
        for (const result of results) {
          if (result.ok) onStarted(result.runId, { seconds: result.leaseSeconds, askedAt }, result.cancel)
          else onNotStarted(result.runId, result.code)
        }
        return
      } catch (error) {
        const lastsMs = Math.min(...claimed.map(({ lease }) => lease.askedAt + lease.seconds * 500))
        if (isPassing(error) && performance.now() < lastsMs && !signal.aborted) {
          await pause(500, signal)
          continue
        }
        logger.warn('Runs could not be started.', { error: describeError(error) })
        for (const { runId } of runs) onNotStarted(runId, 'unreachable')
        return
      }
    }
  }
}

const claimOf = (offer: Offer | undefined, runId: string) => ({ runId, leaseToken: offer?.leaseToken ?? '-' })
