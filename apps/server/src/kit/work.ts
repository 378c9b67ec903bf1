import type { Tx } from '../db/connection.ts'
import { isConflict, isConnectionFailure } from '../db/errors.ts'
import { AppError } from './app-error.ts'
import type { AuditEntry, EventEntry, Work } from './context.ts'
import type { Deps } from './deps.ts'
import { newId } from './id.ts'
import { maskSecrets } from './mask.ts'
import { audit as auditTable, eventOutbox } from './tables.ts'

/** On whose behalf a unit of work is done; stands in the audit log. */
export interface Actor {
  id: string | null
  name: string
  address: string
  requestId: string
  /** Label of audit entries that bring none. */
  label?: string | undefined
}

/** The actor of work that no person asked for, such as jobs and the scheduler. */
export function systemActor(name: string): Actor {
  return { id: null, name, address: '', requestId: '' }
}

type WorkDeps = Pick<Deps, 'db' | 'gate' | 'jobs' | 'live' | 'log'>

const HOLD_MS = 3_000
const MAX_CONFLICTS = 3

/**
 * Runs one unit of work in a transaction and commits it with its audit and event rows; then its after-effects run.
 * A conflict with another transaction, or a database that restarts before the commit, runs it again from the start, so
 * it must touch nothing but the database. After 3 s without a database: 503.
 */
export async function transact<T>(
  deps: WorkDeps,
  actor: Actor,
  run: (work: Work) => Promise<T>,
  options: { once?: boolean } = {},
): Promise<T> {
  const deadline = performance.now() + HOLD_MS
  for (let conflicts = 0; ;) {
    const unit = new Unit(deps, actor)
    try {
      const result = await unit.commit(run)
      await unit.runEffects()
      return result
    } catch (error) {
      if (isConflict(error) && ++conflicts < MAX_CONFLICTS && !options.once) continue
      if (!isConnectionFailure(error)) throw error
      deps.gate.suspect()
      const left = deadline - performance.now()
      if (unit.committing || options.once || left <= 0 || !(await deps.gate.ready(left)))
        throw new AppError('system.database_unavailable', {}, { cause: error, retryAfterSeconds: 2 })
    }
  }
}

/** Runs reads that may be repeated: held up to 3 s while the database restarts. */
export async function holdForDatabase<T>(deps: Pick<Deps, 'gate'>, run: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + HOLD_MS
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!isConnectionFailure(error)) throw error
      deps.gate.suspect()
      const left = deadline - performance.now()
      if (left <= 0 || !(await deps.gate.ready(left)))
        throw new AppError('system.database_unavailable', {}, { cause: error, retryAfterSeconds: 2 })
    }
  }
}

/** What a unit of work gathers until its commit. */
class Unit {
  committing = false
  readonly #deps: WorkDeps
  readonly #actor: Actor
  readonly #audits: AuditEntry[] = []
  readonly #events: EventEntry[] = []
  readonly #progress: EventEntry[] = []
  readonly #effects: (() => void | Promise<void>)[] = []

  constructor(deps: WorkDeps, actor: Actor) {
    this.#deps = deps
    this.#actor = actor
  }

  commit<T>(run: (work: Work) => Promise<T>): Promise<T> {
    return this.#deps.db.transaction(async (tx) => {
      const result = await run(this.#work(tx))
      await this.#writeRows(tx)
      this.committing = true
      return result
    })
  }

  async runEffects(): Promise<void> {
    const { live, log } = this.#deps
    if (this.#events.length > 0) live.wake()
    for (const entry of this.#progress) live.progress(entry)
    for (const effect of this.#effects) {
      try {
        await effect()
      } catch (error) {
        log.error({ err: error, requestId: this.#actor.requestId }, 'an after-effect failed')
      }
    }
  }

  #work(tx: Tx): Work {
    return {
      tx,
      audit: (entry) => this.#audits.push(entry),
      event: (entry) => (entry.kind === 'progress' ? this.#progress : this.#events).push(entry),
      afterCommit: (effect) => this.#effects.push(effect),
      enqueue: async (job, payload, options) => {
        await this.#deps.jobs.enqueue(tx, job, payload, options)
        this.#effects.push(() => this.#deps.jobs.wake(job.name))
      },
    }
  }

  async #writeRows(tx: Tx): Promise<void> {
    if (this.#audits.length > 0)
      await tx.insert(auditTable).values(this.#audits.map((entry) => auditRow(this.#actor, entry)))
    if (this.#events.length > 0)
      await tx.insert(eventOutbox).values(
        this.#events.map((entry) => ({
          feature: entry.feature,
          recordId: entry.id,
          kind: entry.kind,
          parentId: entry.parentId ?? null,
          ownerId: entry.ownerId ?? null,
        })),
      )
  }
}

function auditRow(actor: Actor, entry: AuditEntry): typeof auditTable.$inferInsert {
  return {
    id: newId(),
    actorId: actor.id,
    actorName: actor.name,
    address: actor.address,
    label: entry.label ?? actor.label ?? `${entry.feature}.change`,
    feature: entry.feature,
    recordId: entry.recordId,
    before: maskSecrets(entry.before),
    after: maskSecrets(entry.after),
    requestId: actor.requestId,
  }
}
