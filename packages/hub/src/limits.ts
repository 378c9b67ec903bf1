/** Every bound and every wait of a hub. Times are milliseconds, sizes are bytes. */
export interface HubLimits {
  /** From the start of the transport to the handshake. */
  handshakeTimeoutMs: number
  /** Silence after which a ping is sent (WebSockets and server-sent events). */
  keepAliveMs: number
  /** Silence of a client that has pinged before, after which it counts as gone. */
  clientTimeoutMs: number
  /** One record with its separator. */
  recordBytes: number
  /** One WebSocket message or POST body, which may hold many records. */
  unitBytes: number
  /** Life of a negotiated id that nobody connects with. */
  unusedIdMs: number
  /** Output that makes no progress for this long ends the connection. */
  sendStuckMs: number
  /** How long a poll waits for data. Below 90 s, and below the read timeout of proxies. */
  pollWaitMs: number
  /** Time without a poll after which a long-polling client counts as gone. */
  pollGapMs: number
  /** How long a closing WebSocket or event stream may take to end. */
  closeGraceMs: number
  /** How long an ended long-polling connection keeps its last records for the next poll. */
  endingMs: number
  /** How long `drain` waits for clients to leave. */
  drainMs: number
  /** A connection is closed this long before its token ends, so that no poll meets the end. */
  expiryLeadMs: number
  /** Output waiting for one connection; beyond it the connection ends. */
  outputBytes: number
  outputRecords: number
  /** Calls and upload items waiting on one connection; beyond it no more is read from the client. */
  inputRecords: number
  /** Streams running at once on one connection. */
  streamsPerConnection: number
  /** Connections of this process. */
  connections: number
  /** Connections of one user, unused ids included. */
  connectionsPerUser: number
  /** Unused ids of one user. */
  unusedPerUser: number
  /** Records of one user: sustained per second, and at once. */
  recordsPerSecond: number
  recordBurst: number
}

/** Limits that suit the official clients of all versions. */
export const defaultLimits: HubLimits = {
  handshakeTimeoutMs: 15_000,
  keepAliveMs: 15_000,
  clientTimeoutMs: 30_000,
  recordBytes: 32 * 1024,
  unitBytes: 1024 * 1024,
  unusedIdMs: 15_000,
  sendStuckMs: 10_000,
  pollWaitMs: 80_000,
  pollGapMs: 15_000,
  closeGraceMs: 5_000,
  endingMs: 15_000,
  drainMs: 5_000,
  expiryLeadMs: 5_000,
  outputBytes: 1024 * 1024,
  outputRecords: 1_000,
  inputRecords: 1_000,
  streamsPerConnection: 10,
  connections: 50_000,
  connectionsPerUser: 100,
  unusedPerUser: 50,
  recordsPerSecond: 500,
  recordBurst: 5_000,
}

/**
 * A bucket that fills evenly: `take` answers whether one more record is allowed now. Belongs to a user, not to a
 * connection, so that opening more connections buys nothing.
 */
export class RecordBudget {
  readonly #perSecond: number
  readonly #burst: number
  #left: number
  #at: number

  constructor(limits: HubLimits, now: number) {
    this.#perSecond = limits.recordsPerSecond
    this.#burst = limits.recordBurst
    this.#left = limits.recordBurst
    this.#at = now
  }

  take(now: number): boolean {
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
