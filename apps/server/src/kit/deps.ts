import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { BotAction } from '@weft/contract/core/bot-actions'
import type { RunLogMessage } from '@weft/contract/core/events'
import type { TestRunMessage } from '@weft/contract/test-runs/schema'
import type { SettingValues } from '@weft/contract/system/settings'
import type { Db } from '../db/connection.ts'
import type { Settings } from '../settings.ts'
import type { AgentIdentity, EventEntry, SignedInUser } from './context.ts'
import type { Jobs } from './job-queue.ts'
import type { AddressLimit, RateLimit } from './rate.ts'
import type { Secrets } from './secrets.ts'

/** Knows whether the database answers. */
export interface DatabaseGate {
  /** Says that a query just failed for want of a connection. */
  suspect(): void
  /** Waits until the database answers, `waitMs` at most; false when it does not. */
  ready(waitMs: number): Promise<boolean>
}

/** Hears what other processes say over the database. */
export interface Notices {
  /**
   * Hears a channel until the returned function is called. The payload is `undefined` after a new connection, when any
   * notice may have been missed.
   */
  listen(channel: string, onNotice: (payload: string | undefined) => void): Promise<() => Promise<void>>
}

/** What is told to open pages. */
export interface Live {
  /** There are new rows in the outbox. */
  wake(): void
  /** Tells of a change outside of a transaction: best effort, at most a few times a second for one record. */
  progress(entry: EventEntry): void
  /** Sends log lines of a run to those who watch it. */
  runLog(message: RunLogMessage): void
  /** Sends to one person what happens in their test run. */
  testRun(userId: string, message: TestRunMessage): void
}

/** A person found by an access token. */
export interface Identity {
  user: SignedInUser
  /** The session's, or the API token's. */
  sessionId: string
  expiresAt: number
  /** The name of the API token by which a program calls on this person's behalf. */
  tokenName?: string | undefined
  /** Who really is there, where they look on as `user`: nothing may be changed then. */
  viewer?: Viewer | undefined
}

/** Somebody who looks on as somebody else. */
export interface Viewer {
  id: string
  username: string
  reason: string
  until: string
}

/** Finds out who holds a token: the one place for HTTP, hub and files. */
export interface Identities {
  authenticate(token: string): Promise<Identity | null>
  /** Has this process look everybody up anew; a notice to all processes does the same a moment later. */
  forget(): void
}

/** Status and settings of the installation, held for a few seconds. */
export interface SystemState {
  status(): Promise<number>
  /** Whether new runs may begin: the system is running and no planned maintenance holds them back. */
  takesNewRuns(): Promise<boolean>
  all(): Promise<SettingValues>
  /** Has this process read the settings anew; a notice to all processes does the same a moment later. */
  forget(): void
}

/** Tells people from programs, where an action asks for it. */
export interface BotCheck {
  /** Refuses a call whose browser could not be vouched for. */
  pass(call: { action: BotAction; token: string | undefined; address: string }): Promise<void>
  /** The script that browsers load for it; null while it is off. */
  script(): Promise<string | null>
}

/** What handlers are built from: everything outside of a single call. */
export interface Deps {
  settings: Settings
  version: string
  db: Db
  pool: Pool
  gate: DatabaseGate
  log: FastifyBaseLogger
  secrets: Secrets
  identities: Identities
  botCheck: BotCheck
  /** How often one person may call. */
  rate: RateLimit
  /** How often those may call whom nobody knows. */
  addressRate: AddressLimit
  /** Set by the clients feature; until then no agent gets in. */
  authenticateAgent: (token: string) => Promise<AgentIdentity | null>
  system: SystemState
  notices: Notices
  jobs: Jobs
  live: Live
  now: () => Date
}
