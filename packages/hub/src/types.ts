import type { IncomingMessage } from 'node:http'
import type { Backplane } from './backplane.ts'
import type { Clock } from './clock.ts'
import type { HubLimits } from './limits.ts'

/** The three ways a client can be connected, named as negotiation names them. */
export const TRANSPORTS = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const
export type TransportKind = (typeof TRANSPORTS)[number]

/** Who a token belongs to. `expiresAt` (milliseconds since 1970) ends the connection with it. */
export interface Identity<User> {
  user: User
  userId: string
  expiresAt?: number
}

/** 401: no good token. 403: a good token, but not for this hub. */
export interface Refusal {
  status: 401 | 403
}

/** What a request wants: a new id, an upgrade or event stream, a poll, to deliver records, to end. */
export type Purpose = 'negotiate' | 'connect' | 'poll' | 'send' | 'end'

/** The token of one request. Asked on every request, each poll and each upgrade included. */
export interface Credentials {
  token: string
  purpose: Purpose
  request: IncomingMessage
}

/** What the application may know of a connection. The id is public; the secret key never leaves the hub. */
export interface ConnectionInfo<User> {
  readonly connectionId: string
  readonly userId: string
  readonly user: User
  readonly transport: TransportKind | null
  readonly expiresAt: number | undefined
  readonly groups: ReadonlySet<string>
}

/** Why a connection ended, each counted from nothing. */
export const CLOSE_REASONS = {
  client: 0,
  lost: 0,
  unused: 0,
  handshakeFailed: 0,
  handshakeTimeout: 0,
  protocolError: 0,
  recordTooBig: 0,
  tooManyRecords: 0,
  clientTimeout: 0,
  pollGone: 0,
  slowConsumer: 0,
  sendStuck: 0,
  tokenEnded: 0,
  revoked: 0,
  drained: 0,
  refusedByApp: 0,
}
export type CloseReason = keyof typeof CLOSE_REASONS

/** How the server ends a connection. Without `allowReconnect` the official client stays closed. */
export interface CloseOptions {
  error?: string
  allowReconnect?: boolean
}

/** Who gets a message. `where` looks at this process's connections only. */
export type Target<User> = WireTarget | { to: 'where'; match: (connection: ConnectionInfo<User>) => boolean }
/** A target that other processes understand too. */
export type WireTarget = { to: 'all' } | { to: 'user' | 'group' | 'connection'; id: string }

/** Targets by name: `hub.send(to.user('7'), 'send', …)`. */
export const to = {
  all: { to: 'all' } as const,
  user: (id: string) => ({ to: 'user', id }) as const,
  group: (id: string) => ({ to: 'group', id }) as const,
  connection: (id: string) => ({ to: 'connection', id }) as const,
  where: <User>(match: (connection: ConnectionInfo<User>) => boolean) => ({ to: 'where', match }) as const,
}

/** One call as the handler sees it. `signal` ends with the connection, or when the client cancels. */
export interface Call<User> {
  readonly connection: ConnectionInfo<User>
  readonly user: User
  readonly userId: string
  readonly signal: AbortSignal
  /** What the client streams up with this call, one iterable each. */
  readonly uploads: readonly AsyncIterable<unknown>[]
}

/** Anything with `parse` that throws on wrong arguments; a zod tuple is one. */
export interface ArgsSchema<Args extends readonly unknown[]> {
  parse(value: unknown): Args
}

/** A method that clients invoke. What it returns is the result; `undefined` is no result. */
export interface HubMethod<User, Args extends readonly unknown[] = readonly unknown[]> {
  args: ArgsSchema<Args>
  /** How many uploads the method takes; none unless said. */
  uploads?: number
  handle(call: Call<User>, ...args: Args): unknown
}

/** A method that answers with many items. */
export interface HubStream<User, Args extends readonly unknown[] = readonly unknown[]> {
  args: ArgsSchema<Args>
  uploads?: number
  handle(call: Call<User>, ...args: Args): AsyncIterable<unknown>
}

/** Keeps the argument types of a method where it is written: `const method = methodOf<User>()`. */
export function methodOf<User>() {
  return <Args extends readonly unknown[]>(method: HubMethod<User, Args>): HubMethod<User> => method
}

/** The same for a stream. */
export function streamOf<User>() {
  return <Args extends readonly unknown[]>(stream: HubStream<User, Args>): HubStream<User> => stream
}

/** An error whose text the client may read. All others reach it as a neutral sentence. */
export class HubError extends Error {
  override name = 'HubError'
}

/** Where the hub writes what went wrong; pino and Fastify's logger fit. */
export interface HubLogger {
  debug(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/** Where to send a client instead: its url is absolute, its token replaces the client's own. */
export interface Redirect {
  url: string
  accessToken?: string
}

export interface HubOptions<User> {
  /** The hub's path, without a slash at its end. */
  path: string
  authenticate(credentials: Credentials): Promise<Identity<User> | Refusal> | Identity<User> | Refusal
  methods?: Record<string, HubMethod<User>>
  streams?: Record<string, HubStream<User>>
  /** After the handshake; calls of the client wait for it. Throwing closes the connection. */
  onConnected?(connection: ConnectionInfo<User>): Promise<void> | void
  /** Once for each connection that `onConnected` was called for. */
  onDisconnected?(connection: ConnectionInfo<User>, reason: CloseReason): Promise<void> | void
  /** Lets negotiation answer with another place to connect to. */
  redirect?(
    identity: Identity<User>,
    request: IncomingMessage,
  ): Promise<Redirect | undefined> | Redirect | undefined
  /** Other origins that browsers may connect from; the hub's own host always may. */
  allowOrigin?(origin: string): boolean
  transports?: readonly TransportKind[]
  /** 1 refuses clients that would use the public id as their key. */
  minNegotiateVersion?: 0 | 1
  limits?: Partial<HubLimits>
  clock?: Clock
  backplane?: Backplane
  logger?: HubLogger
  /** This process's name in connection tokens, for proxies to route by; letters, digits, `_` and `-`. */
  node?: string
  /** Shared by all processes: lets any of them take a WebSocket that another one negotiated. */
  nodeSecret?: string
}
