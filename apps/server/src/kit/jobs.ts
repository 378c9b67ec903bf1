import type { z } from 'zod'

/** How a queue treats its jobs. */
export interface JobOptions {
  /** Tries after the first; default 3. */
  retryLimit?: number
  /** Seconds before the first retry; doubled each time. */
  retryDelaySeconds?: number
  /** A job running longer is given to another worker. */
  expireSeconds?: number
  /** `singleton`: at most one per key is active. `short`: at most one per key waits. `exclusive`: one per key in all. */
  policy?: 'standard' | 'short' | 'singleton' | 'stately' | 'exclusive'
}

/** A kind of job: its name and payload, apart from the handler, so that senders import only this. */
export interface JobDefinition<T extends object = object> {
  readonly name: string
  readonly payload: z.ZodType<T>
  readonly options: JobOptions
}

export interface EnqueueOptions {
  startAfter?: Date | number
  singletonKey?: string
  priority?: number
}

/** Names a kind of job. */
export function defineJob<T extends object>(
  name: string,
  payload: z.ZodType<T>,
  options: JobOptions = {},
): JobDefinition<T> {
  return { name, payload, options }
}
