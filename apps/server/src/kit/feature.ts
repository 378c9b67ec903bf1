import type { FastifyInstance } from 'fastify'
import type { EventFeature } from '@weft/contract/core/events'
import type { Tx } from '../db/connection.ts'
import type { Decisions, SignedInUser } from './context.ts'
import type { Deps } from './deps.ts'

/** Which of these records a person may see: what decides who is told of their changes. */
export type Visible = (
  who: { tx: Tx; user: SignedInUser } & Decisions,
  ids: readonly string[],
) => Promise<ReadonlySet<string>>

/** One feature, whole: what the program mounts and starts. */
export interface Feature {
  readonly name: string
  /** Mounts its calls with `implement` and says which jobs it handles. Nothing is awaited and nothing begins here. */
  mount(app: FastifyInstance): void
  /** For each kind of record it sends events of. */
  readonly visible?: Partial<Record<EventFeature, Visible>>
  /** Begins what runs by itself, once the database is ready; gives the way to end it. */
  start?(deps: Deps): Promise<() => Promise<void>>
}
