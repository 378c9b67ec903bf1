import { CLOSE_REASONS, type CloseReason, type TransportKind } from './types.ts'

/** A hub at one moment. Counters only grow; the rest is as it is now. */
export interface HubMetrics {
  /** Open connections by transport. */
  connections: Record<TransportKind, number>
  /** Ids negotiated and not yet used, connections shaking hands, connections ending. */
  pending: { unused: number; started: number; closing: number }
  /** Output that waits, over all connections. */
  queuedBytes: number
  negotiated: number
  opened: number
  handshakesFailed: number
  closed: Record<CloseReason, number>
  recordsReceived: number
  recordsSent: number
  /** Polls answered and the time they waited in all. */
  polls: { answered: number; waitedMs: number }
  backplane: { published: number; failed: number; received: number }
}

/** The part of the metrics that only grows. */
export class HubCounters {
  negotiated = 0
  opened = 0
  handshakesFailed = 0
  recordsReceived = 0
  recordsSent = 0
  readonly closed: Record<CloseReason, number> = { ...CLOSE_REASONS }
  readonly polls = { answered: 0, waitedMs: 0 }
  readonly backplane = { published: 0, failed: 0, received: 0 }
}
