import type { IncomingMessage } from 'node:http'
import { type Clock, systemClock } from './clock.ts'
import { publicId, TokenMint } from './connection-token.ts'
import { Connection, type ConnectionHost } from './connection.ts'
import { defaultLimits, type HubLimits } from './limits.ts'
import { HubCounters } from './metrics.ts'
import { type MethodTable, methodTable } from './methods.ts'
import type { OutRecord } from './protocol.ts'
import { Registry } from './registry.ts'
import {
  type CloseReason,
  type HubLogger,
  type HubOptions,
  type Identity,
  type Purpose,
  type Target,
  type TransportKind,
  TRANSPORTS,
} from './types.ts'

const TICK_MS = 1_000
const silent: HubLogger = { debug: () => undefined, warn: () => undefined, error: () => undefined }

/** The state of one hub in one process, and what its routes and its public face do with it. */
export class HubCore<User> implements ConnectionHost<User> {
  readonly options: HubOptions<User>
  readonly limits: HubLimits
  readonly clock: Clock
  readonly methods: MethodTable<User>
  readonly registry: Registry<User>
  readonly counters = new HubCounters()
  readonly mint: TokenMint
  readonly offered: readonly TransportKind[]
  logger: HubLogger
  #draining = false
  #drainEnds = Infinity
  #drained: (() => void)[] = []
  #stopTicking: (() => void) | null = null
  /** Foreign keys that were used here, and until when they must be refused. */
  readonly #spent = new Map<string, number>()
  /** Announcements that still run, so that the farewell comes after the welcome. */
  readonly #welcomes = new WeakMap<Connection<User>, Promise<void>>()

  constructor(options: HubOptions<User>) {
    if (!/^\/.*[^/]$/.test(options.path))
      throw new Error("A hub's path begins with a slash and ends without one.")
    this.options = options
    this.limits = { ...defaultLimits, ...options.limits }
    this.clock = options.clock ?? systemClock
    this.logger = options.logger ?? silent
    this.methods = methodTable(options.methods ?? {}, options.streams ?? {})
    this.registry = new Registry(this.limits)
    this.offered = options.transports ?? TRANSPORTS
    this.mint = new TokenMint({
      node: options.node,
      secret: options.nodeSecret,
      path: options.path,
      lifeMs: this.limits.unusedIdMs,
    })
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Asks the application who this is; a status refuses. Without a token the application is not asked. */
  async authorize(
    token: string | null,
    purpose: Purpose,
    request: IncomingMessage,
  ): Promise<Identity<User> | { status: 401 | 403 | 500 }> {
    if (token === null) return { status: 401 }
    try {
      const answer = await this.options.authenticate({ token, purpose, request })
      if ('status' in answer) return answer
      const ended = answer.expiresAt !== undefined && answer.expiresAt <= this.clock.wall()
      return ended ? { status: 401 } : answer
    } catch (err) {
      this.logger.error({ err, purpose }, 'hub authentication failed')
      return { status: 500 }
    }
  }

  /** Makes a connection that waits for its transport. The caller has asked the registry whether it may. */
  create(
    identity: Identity<User>,
    token = this.mint.mint(identity.userId, this.clock.wall()),
  ): Connection<User> {
    const connection = new Connection<User>(this, token, publicId(token), identity)
    this.registry.add(connection, this.clock.now())
    this.#tickFromNow()
    return connection
  }

  /** True when another node made this key for this user and nobody used it here. */
  acceptsForeign(token: string, userId: string): boolean {
    return !this.#spent.has(token) && this.mint.isForeign(token, userId, this.clock.wall())
  }

  /** A foreign key works once. */
  createForeign(identity: Identity<User>, token: string): Connection<User> {
    this.#spent.set(token, this.clock.now() + this.limits.unusedIdMs * 2)
    return this.create(identity, token)
  }

  /** Hands one finished record to the connections of this process. */
  deliver(target: Target<User>, record: OutRecord): void {
    for (const connection of this.registry.targets(target)) connection.write(record)
  }

  spendRecord(connection: Connection<User>): boolean {
    return this.registry.spendRecord(connection.userId, this.clock.now())
  }

  received(): void {
    this.counters.recordsReceived += 1
  }

  sent(): void {
    this.counters.recordsSent += 1
  }

  async opened(connection: Connection<User>): Promise<void> {
    this.counters.opened += 1
    this.registry.announce(connection)
    const welcome = (async () => this.options.onConnected?.(connection))()
    this.#welcomes.set(connection, welcome)
    await welcome
  }

  closed(connection: Connection<User>, reason: CloseReason, wasOpen: boolean): void {
    this.counters.closed[reason] += 1
    if (reason === 'handshakeFailed' || reason === 'handshakeTimeout') this.counters.handshakesFailed += 1
    this.logger.debug({ connectionId: connection.connectionId, reason }, 'hub connection ended')
    if (!wasOpen) return
    const groups = new Set(connection.groups)
    this.registry.withdraw(connection)
    // The application may want to know what it was in.
    for (const group of groups) connection.groups.add(group)
    void this.#farewell(connection, reason)
  }

  async #farewell(connection: Connection<User>, reason: CloseReason): Promise<void> {
    try {
      // A failed welcome was reported already.
      await this.#welcomes.get(connection)?.catch(() => undefined)
      await this.options.onDisconnected?.(connection, reason)
    } catch (err) {
      this.logger.error({ err, connectionId: connection.connectionId }, 'hub onDisconnected failed')
    }
  }

  forgotten(connection: Connection<User>): void {
    this.registry.forget(connection)
    if (this.#draining) this.#checkDrained()
  }

  /** Ends everything: no new connections, a comeback for all, and an end by force after the drain time. */
  async drain(): Promise<void> {
    if (!this.#draining) {
      this.#draining = true
      this.#drainEnds = this.clock.now() + this.limits.drainMs
      for (const connection of this.registry.all()) connection.close('drained', { allowReconnect: true })
    }
    const done = new Promise<void>((resolve) => this.#drained.push(resolve))
    this.#checkDrained()
    await done
  }

  #checkDrained(): void {
    if (this.registry.size > 0) return
    for (const resolve of this.#drained) resolve()
    this.#drained = []
    this.stop()
  }

  /** Stops the clock; a new connection would start it again. */
  stop(): void {
    this.#stopTicking?.()
    this.#stopTicking = null
  }

  #tickFromNow(): void {
    this.#stopTicking ??= this.clock.every(TICK_MS, () => this.#tick())
  }

  #tick(): void {
    const now = this.clock.now()
    const wall = this.clock.wall()
    const force = now >= this.#drainEnds
    for (const connection of this.registry.all()) {
      if (force) connection.terminate('drained')
      else connection.tick(now, wall)
    }
    for (const [token, until] of this.#spent) if (now >= until) this.#spent.delete(token)
  }
}
