import type { Tx } from '../db/connection.ts'
import type { EnqueueOptions, JobDefinition } from './jobs.ts'

/** One job as its handler sees it. */
export interface JobRun<T> {
  id: string
  payload: T
  signal: AbortSignal
}

/** The queue. */
export interface Jobs {
  /** Puts a job into the queue within `tx`: it exists if the transaction is committed. */
  enqueue<T extends object>(
    tx: Tx,
    job: JobDefinition<T>,
    payload: T,
    options?: EnqueueOptions,
  ): Promise<void>
  /** Puts many jobs in at once. */
  enqueueAll<T extends object>(tx: Tx, job: JobDefinition<T>, payloads: readonly T[]): Promise<void>
  /** Has this process look for jobs of this kind now, and not at the next poll. */
  wake(name: string): void
  /** Handles jobs of this kind, where this process is a worker. A handler may see a job more than once. */
  work<T extends object>(
    job: JobDefinition<T>,
    handler: (run: JobRun<T>) => Promise<void>,
    options?: { concurrency?: number; pollSeconds?: number },
  ): void
  /** Enqueues the job by a cron expression, where some process is the scheduler. */
  schedule<T extends object>(job: JobDefinition<T>, cron: string, payload: T): void
}
