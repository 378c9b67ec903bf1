import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { fromDrizzle, PgBoss, type Queue } from 'pg-boss'
import type { Pool } from 'pg'
import { isConnectionFailure } from '../db/errors.ts'
import type { JobRun, Jobs } from '../kit/job-queue.ts'
import type { JobDefinition } from '../kit/jobs.ts'
import type { ProcessRole } from '../settings.ts'

export interface BossOptions {
  pool: Pool
  log: FastifyBaseLogger
  roles: ReadonlySet<ProcessRole>
}

/** The queue with its beginning and its end. */
export interface JobQueue extends Jobs {
  /** Makes its tables and queues, and begins to work where this process is a worker. */
  start(): Promise<void>
  /** Lets jobs under way end, `graceMs` at most; what is left is given to others later. */
  stop(graceMs: number): Promise<void>
}

interface Handled {
  job: JobDefinition
  handler: (run: JobRun<object>) => Promise<void>
  concurrency: number
  pollSeconds: number
}

/**
 * pg-boss on the product's own pool. Handlers are registered before `start`; a payload is checked when it is enqueued
 * and again when it is handled, for it may have been written by an older program.
 */
export function jobQueue({ pool, log, roles }: BossOptions): JobQueue {
  const schedules = roles.has('scheduler')
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => pool.query(text, values) },
    schema: 'pgboss',
    schedule: schedules,
    supervise: schedules,
    persistWarnings: false,
  })
  boss.on('error', (error) => {
    // While the database is away it says so at every poll, and goes on by itself.
    const level = isConnectionFailure(error) ? 'debug' : 'error'
    log[level]({ err: error }, 'the job queue failed')
  })
  const queues = new Map<string, JobDefinition>()
  const handled: Handled[] = []
  const scheduled: { name: string; cron: string; payload: object }[] = []
  const workers = new Map<string, string[]>()

  const know = (job: JobDefinition) => queues.set(job.name, job)

  return {
    async enqueue(tx, job, payload, options = {}) {
      await boss.send(job.name, job.payload.parse(payload), { ...options, db: fromDrizzle(tx, sql) })
    },

    async enqueueAll(tx, job, payloads) {
      if (payloads.length === 0) return
      const jobs = payloads.map((payload) => ({ data: job.payload.parse(payload) }))
      await boss.insert(job.name, jobs, { db: fromDrizzle(tx, sql) })
    },

    work(job, handler, { concurrency = 1, pollSeconds = 2 } = {}) {
      know(job)
      handled.push({
        job,
        handler: (run) => handler({ ...run, payload: job.payload.parse(run.payload) }),
        concurrency,
        pollSeconds,
      })
    },

    schedule(job, cron, payload) {
      know(job)
      scheduled.push({ name: job.name, cron, payload: job.payload.parse(payload) })
    },

    wake(name) {
      for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
    },

    async start() {
      await boss.start()
      for (const job of queues.values()) await ensureQueue(boss, job)
      if (schedules) for (const { name, cron, payload } of scheduled) await boss.schedule(name, cron, payload)
      if (!roles.has('worker')) return
      for (const entry of handled) {
        const ids = [await begin(boss, entry)]
        workers.set(entry.job.name, [...(workers.get(entry.job.name) ?? []), ...ids])
      }
    },

    async stop(graceMs) {
      await boss.stop({ graceful: true, timeout: graceMs, close: false })
    },
  }
}

async function ensureQueue(boss: PgBoss, { name, options }: JobDefinition): Promise<void> {
  const queue = {
    retryLimit: options.retryLimit ?? 3,
    retryDelay: options.retryDelaySeconds ?? 1,
    retryBackoff: true,
    expireInSeconds: options.expireSeconds ?? 300,
    deleteAfterSeconds: 24 * 3600,
  } satisfies Partial<Queue>
  const known = await boss.getQueue(name)
  if (known) await boss.updateQueue(name, queue)
  else await boss.createQueue(name, { ...queue, policy: options.policy ?? 'standard' })
}

function begin(boss: PgBoss, { job, handler, concurrency, pollSeconds }: Handled): Promise<string> {
  return boss.work<object>(
    job.name,
    { pollingIntervalSeconds: pollSeconds, localConcurrency: concurrency },
    async (jobs) => {
      for (const { id, data, signal } of jobs) await handler({ id, payload: data, signal })
    },
  )
}
