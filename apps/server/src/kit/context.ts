import type { SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { ChangeEvent, EventFeature } from '@weft/contract/core/events'
import type { Action, Rule, Subject } from '@weft/contract/core/permissions'
import type { Tx } from '../db/connection.ts'
import type { Through } from './access-through.ts'
import type { ReceivedBody } from './body.ts'
import type { Viewer } from './deps.ts'
import type { EnqueueOptions, JobDefinition } from './jobs.ts'

export type { Tx } from '../db/connection.ts'

/** The person who calls, as the session says. */
export interface SignedInUser {
  id: string
  username: string
  displayName: string
  roles: readonly string[]
  rules: readonly Rule[]
}

/** The client whose agent calls. */
export interface AgentIdentity {
  clientId: string
  clientKey: string
  ownerId: string | null
  /** The agent's session, for features that fence by it. */
  sessionId: string
}

/** One line of the audit log; the label is the endpoint's unless given. */
export interface AuditEntry {
  feature: string
  recordId: string | null
  before?: unknown
  after?: unknown
  label?: string
}

/** A change to be told to those who may see the record. */
export interface EventEntry {
  feature: EventFeature
  id: string
  kind: ChangeEvent['kind']
  parentId?: string | null
  ownerId?: string | null
}

/** What rules may compare: names of a record's fields and the columns that hold them. */
export type ScopeColumns = Readonly<Record<string, PgColumn | SQL | Through>>

/** Decisions of one person's rules. */
export interface Decisions {
  /** Whether the rules allow it; without a record: whether for any record at all. */
  can: (action: Action, subject: Subject, record?: object, field?: string) => boolean
  /** The SQL condition of the rules for this action; `false` where nothing is allowed. */
  scope: (action: Action, subject: Subject, columns: ScopeColumns) => SQL
}

/** One unit of work in the database: all of it is committed, or none. */
export interface Work {
  tx: Tx
  /** Adds an audit row to the transaction, secrets masked. */
  audit(entry: AuditEntry): void
  /**
   * Tells of a change once it is committed. `progress` is best effort and coalesced; the other kinds are part of the
   * transaction and never lost.
   */
  event(entry: EventEntry): void
  /** Runs after the commit; a failure is logged and changes nothing. */
  afterCommit(effect: () => void | Promise<void>): void
  /** Puts a job into the queue in the same transaction. */
  enqueue<T extends object>(job: JobDefinition<T>, payload: T, options?: EnqueueOptions): Promise<void>
}

export interface CookieOptions {
  httpOnly?: boolean
  secure?: boolean
  sameSite?: 'strict' | 'lax'
  path?: string
  maxAgeSeconds?: number
}

/** The parts of the HTTP exchange that a few calls need. */
export interface Exchange {
  cookie(name: string): string | undefined
  header(name: string): string | undefined
  setCookie(name: string, value: string, options: CookieOptions): void
  clearCookie(name: string, options: CookieOptions): void
  setHeader(name: string, value: string): void
}

/** What every handler receives. */
export interface BaseContext extends Work {
  requestId: string
  /** The caller's network address. */
  address: string
  /** Ends when the caller goes away. */
  signal: AbortSignal
  http: Exchange
  /** The bytes of a call with `rawBody`, all received; empty otherwise. */
  body: ReceivedBody
}

/** The context of a call that anybody may make. */
export interface PublicContext extends BaseContext {
  user: null
  /** What anybody may do, or, with a good token, what that person may. */
  visitor: SignedInUser | null
}

/** The context of a call by somebody signed in. */
export interface CallContext extends BaseContext, Decisions {
  user: SignedInUser
  sessionId: string
  /** The name of the API token, where a program calls on this person's behalf; its rules are the token's. */
  tokenName: string | undefined
  /** Who really is there, where they look on as `user`. */
  viewer: Viewer | undefined
}

/** The context of a call by an agent. */
export interface AgentContext extends BaseContext {
  user: null
  agent: AgentIdentity
}

/** A context before the transaction is opened: for slow or outside work that must not hold a connection. */
export type Before<C extends BaseContext> = Omit<C, keyof Work> & { db: Tx }
