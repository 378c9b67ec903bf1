/** Ends every record. */
export const RECORD_SEPARATOR = 0x1e
const SEPARATOR = '\u001e'

/** The client broke the protocol; the connection ends. */
export class ProtocolError extends Error {
  readonly code: 'protocolError' | 'recordTooBig'
  constructor(code: 'protocolError' | 'recordTooBig', message: string) {
    super(message)
    this.code = code
  }
}

/** A finished record on its way out: written once, shared by all who get it. */
export class OutRecord {
  readonly bytes: Buffer
  #event: Buffer | null = null

  constructor(json: string) {
    this.bytes = Buffer.from(json + SEPARATOR)
  }

  /** The record as a server-sent event. A line break in the JSON would end the event, so each line gets its field. */
  get event(): Buffer {
    this.#event ??= Buffer.from(
      `${this.bytes
        .toString()
        .split(/\r\n|\n|\r/)
        .map((line) => `data: ${line}\n`)
        .join('')}\n`,
    )
    return this.#event
  }

  /** Several records as one unit; a single one is not copied. */
  static join(records: readonly OutRecord[]): Buffer {
    const [only] = records
    return records.length === 1 && only ? only.bytes : Buffer.concat(records.map((record) => record.bytes))
  }
}

/** Records of all connections are read with it; it keeps nothing between two. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Cuts the client's byte stream into records; a record may arrive in pieces, and many may arrive at once. */
export class RecordCutter {
  readonly #limit: number
  #rest: Buffer[] = []
  #restBytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Yields record by record, so that what stood before a bad one is still served. */
  *cut(chunk: Buffer): Generator<string> {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(RECORD_SEPARATOR, start)
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end)
      // The rest has no separator yet, but it will need one.
      if (this.#restBytes + piece.length + 1 > this.#limit)
        throw new ProtocolError('recordTooBig', 'A record is too big.')
      if (end === -1) {
        if (piece.length > 0) this.#keep(piece)
        return
      }
      yield this.#text(piece)
      start = end + 1
    }
  }

  #keep(piece: Buffer): void {
    // A copy, so that a small rest does not hold a large unit in memory. Many tiny pieces are joined now and then.
    this.#rest.push(Buffer.from(piece))
    this.#restBytes += piece.length
    if (this.#rest.length > 64) this.#rest = [Buffer.concat(this.#rest)]
  }

  #text(piece: Buffer): string {
    const whole = this.#rest.length === 0 ? piece : Buffer.concat([...this.#rest, piece])
    this.#rest = []
    this.#restBytes = 0
    try {
      return utf8.decode(whole)
    } catch {
      throw new ProtocolError('protocolError', 'A record is not UTF-8.')
    }
  }
}

/** What a client can say after the handshake. */
export type ClientMessage =
  | {
      type: 'call'
      id: string | null
      target: string
      args: unknown[]
      uploads: string[]
      streaming: boolean
    }
  | { type: 'item'; id: string; item: unknown }
  | { type: 'completion'; id: string; error: string | null }
  | { type: 'cancel'; id: string }
  | { type: 'ping' }
  | { type: 'close' }
  | { type: 'unknown' }

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ProtocolError('protocolError', 'A record is not JSON.')
  }
  if (!isObject(value)) throw new ProtocolError('protocolError', 'A record is not an object.')
  return value
}

/** Answers null when the handshake is good, else the text that refuses it. */
export function checkHandshake(text: string): string | null {
  const unexpected = 'An unexpected error occurred during connection handshake.'
  let request: Record<string, unknown>
  try {
    request = parseObject(text)
  } catch {
    return unexpected
  }
  const { protocol, version } = request
  if (typeof protocol !== 'string' || !Number.isInteger(version)) return unexpected
  if (protocol !== 'json') return `The protocol '${protocol.slice(0, 100)}' is not supported.`
  if (version !== 1 && version !== 2)
    return `The server does not support version ${String(version)} of the 'json' protocol.`
  return null
}

function required(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '')
    throw new ProtocolError('protocolError', `Missing or wrong '${name}'.`)
  return value
}

function parseCall(record: Record<string, unknown>, streaming: boolean): ClientMessage {
  const { invocationId, target, arguments: args, streamIds } = record
  if (!Array.isArray(args)) throw new ProtocolError('protocolError', "Missing or wrong 'arguments'.")
  const uploads = streamIds ?? []
  if (!Array.isArray(uploads)) throw new ProtocolError('protocolError', "Wrong 'streamIds'.")
  const anonymous = !streaming && (invocationId === undefined || invocationId === null)
  return {
    type: 'call',
    id: anonymous ? null : required(invocationId, 'invocationId'),
    target: required(target, 'target'),
    args,
    uploads: uploads.map((id) => required(id, 'streamIds')),
    streaming,
  }
}

/** Reads one record. Unknown types and unknown fields are ignored; a missing required field throws. */
export function parseMessage(text: string): ClientMessage {
  const record = parseObject(text)
  switch (record['type']) {
    case 1:
      return parseCall(record, false)
    case 4:
      return parseCall(record, true)
    case 2:
      if (!Object.hasOwn(record, 'item')) throw new ProtocolError('protocolError', "Missing 'item'.")
      return { type: 'item', id: required(record['invocationId'], 'invocationId'), item: record['item'] }
    case 3: {
      const error = record['error'] ?? null
      if (error !== null && (typeof error !== 'string' || Object.hasOwn(record, 'result')))
        throw new ProtocolError('protocolError', "Wrong 'error'.")
      return { type: 'completion', id: required(record['invocationId'], 'invocationId'), error }
    }
    case 5:
      return { type: 'cancel', id: required(record['invocationId'], 'invocationId') }
    case 6:
      return { type: 'ping' }
    case 7:
      return { type: 'close' }
    default:
      if (typeof record['type'] !== 'number') throw new ProtocolError('protocolError', "Missing 'type'.")
      return { type: 'unknown' }
  }
}

/** The records a server writes. None carries a field that the official client would refuse. */
export const write = {
  handshake: new OutRecord('{}'),
  ping: new OutRecord('{"type":6}'),
  handshakeError: (error: string) => new OutRecord(JSON.stringify({ error })),
  call: (target: string, args: readonly unknown[]) => JSON.stringify({ type: 1, target, arguments: args }),
  item: (invocationId: string, item: unknown) =>
    // Built by hand: an item that JSON leaves out (undefined, a function) must not leave the field out.
    new OutRecord(
      `{"type":2,"invocationId":${JSON.stringify(invocationId)},"item":${JSON.stringify(item) ?? 'null'}}`,
    ),
  result: (invocationId: string, result: unknown) =>
    new OutRecord(JSON.stringify({ type: 3, invocationId, result })),
  error: (invocationId: string, error: string) =>
    new OutRecord(JSON.stringify({ type: 3, invocationId, error })),
  close: (error?: string, allowReconnect?: boolean) =>
    new OutRecord(
      JSON.stringify({ type: 7, error: error || undefined, allowReconnect: allowReconnect || undefined }),
    ),
}
