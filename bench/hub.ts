import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type WebSocketClass from 'ws'

/** One line of the result; `bar` is empty for a figure that only explains another. */
export interface BenchRow {
  name: string
  value: number
  unit: string
  bar: string
  ok: boolean
}

const CONNECTIONS = 2_000
const ROUNDS = 9
/** Broadcasts of a round sent in one go, sent one by one, and sent to measure the latency. */
const BURST = 100
const SINGLE = 12
const LATENCY = 20

// The hub's own ws, on both sides and in both servers, so that only the hub differs.
const require = createRequire(import.meta.resolve('@weft/hub/hub'))
const WebSocket = require('ws') as typeof WebSocketClass

type Kind = 'hub' | 'ws'
type Style = 'burst' | 'single'

/** What a server process says when it is ready, and when it was asked for its use of the machine. */
interface ServerReport {
  port: number
  rssMb: number
  cpuMs: number
}

class Server {
  readonly #child: ChildProcess

  constructor(kind: Kind) {
    this.#child = fork(fileURLToPath(new URL('./hub-server.ts', import.meta.url)), [kind], {
      stdio: 'inherit',
    })
  }

  async #answer(): Promise<ServerReport> {
    const [report] = (await once(this.#child, 'message')) as [ServerReport]
    return report
  }

  ready(): Promise<ServerReport> {
    return this.#answer()
  }

  async ask(command: 'report' | 'broadcast', count = 0): Promise<ServerReport> {
    const answer = this.#answer()
    this.#child.send({ command, count })
    return answer
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
  }
}

/** A message may hold several records. */
function recordsIn(data: WebSocketClass.RawData): number {
  let count = 0
  if (Buffer.isBuffer(data))
    for (let at = data.indexOf(0x1e); at !== -1; at = data.indexOf(0x1e, at + 1)) count += 1
  return count
}

function textOf(data: WebSocketClass.RawData): string {
  return Buffer.isBuffer(data) ? data.toString() : ''
}

/** All clients of one server, counted together. */
class Crowd {
  readonly #sockets: WebSocketClass[] = []
  received = 0
  latencies: number[] = []
  measuring = false
  #awaited = Infinity
  #arrived: () => void = () => undefined

  async connect(kind: Kind, port: number): Promise<void> {
    const next = Array.from({ length: CONNECTIONS }, (_, i) => i)[Symbol.iterator]()
    const worker = async (): Promise<void> => {
      for (const i of next) this.#sockets.push(await this.#open(kind, port, `user-${i}`))
    }
    await Promise.all(Array.from({ length: 50 }, worker))
  }

  async #open(kind: Kind, port: number, token: string): Promise<WebSocketClass> {
    if (kind === 'ws') {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
      await once(socket, 'open')
      socket.on('message', this.#take)
      return socket
    }
    const headers = { authorization: `Bearer ${token}` }
    const negotiation = await fetch(`http://127.0.0.1:${port}/hub/negotiate?negotiateVersion=1`, {
      method: 'POST',
      headers,
    })
    const { connectionToken } = (await negotiation.json()) as { connectionToken: string }
    const socket = new WebSocket(`ws://127.0.0.1:${port}/hub?id=${connectionToken}`, { headers })
    await once(socket, 'open')
    socket.send('{"protocol":"json","version":1}\u001e')
    await once(socket, 'message')
    socket.on('message', this.#take)
    return socket
  }

  readonly #take = (data: WebSocketClass.RawData): void => {
    this.received += recordsIn(data)
    if (this.measuring) {
      const sentAt = /"at":"(\d+)"/.exec(textOf(data))?.[1]
      if (sentAt !== undefined) this.latencies.push(Number(process.hrtime.bigint() - BigInt(sentAt)) / 1e6)
    }
    if (this.received >= this.#awaited) this.#arrived()
  }

  /** Resolves when `count` more messages have come in. */
  expect(count: number): Promise<void> {
    this.#awaited = this.received + count
    return new Promise((resolve) => (this.#arrived = resolve))
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate()
  }
}

/** A server, its clients, and what was measured of them. */
class Side {
  readonly kind: Kind
  readonly rates: Record<Style, number[]> = { burst: [], single: [] }
  readonly cpuMicros: number[] = []
  readonly #server: Server
  readonly #crowd = new Crowd()
  rssMb = 0

  constructor(kind: Kind) {
    this.kind = kind
    this.#server = new Server(kind)
  }

  async connect(): Promise<void> {
    const { port } = await this.#server.ready()
    await this.#crowd.connect(this.kind, port)
    await this.#report()
  }

  async #report(): Promise<ServerReport> {
    const report = await this.#server.ask('report')
    this.rssMb = Math.max(this.rssMb, report.rssMb)
    return report
  }

  /** Broadcasts all in one go, or each when the one before has reached everybody. */
  async round(style: Style, count: number, counts: boolean): Promise<void> {
    const before = await this.#report()
    const start = performance.now()
    const step = style === 'burst' ? count : 1
    for (let sent = 0; sent < count; sent += step) {
      const all = this.#crowd.expect(CONNECTIONS * step)
      await this.#server.ask('broadcast', step)
      await all
    }
    const seconds = (performance.now() - start) / 1000
    const after = await this.#report()
    if (!counts) return
    this.rates[style].push((CONNECTIONS * count) / seconds)
    if (style === 'single') this.cpuMicros.push(((after.cpuMs - before.cpuMs) * 1000) / (CONNECTIONS * count))
  }

  /** The 99th percentile over all clients of single broadcasts, in milliseconds. */
  async latency(): Promise<number> {
    this.#crowd.measuring = true
    await this.round('single', LATENCY, false)
    this.#crowd.measuring = false
    const sorted = this.#crowd.latencies.toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length * 0.99)] ?? NaN
  }

  async stop(): Promise<void> {
    this.#crowd.close()
    await this.#server.stop()
  }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

/** 2,000 connections through a real server process, beside a bare `ws` server that does the same in turns with it. */
export async function run(): Promise<BenchRow[]> {
  const hub = new Side('hub')
  const bare = new Side('ws')
  try {
    await hub.connect()
    await bare.connect()
    // The first round only warms up.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const side of [hub, bare]) {
        await side.round('burst', BURST, round > 0)
        await side.round('single', SINGLE, round > 0)
      }
    return rowsOf(hub, bare, await hub.latency())
  } finally {
    await Promise.all([hub.stop(), bare.stop()])
  }
}

function rowsOf(hub: Side, bare: Side, p99: number): BenchRow[] {
  // Round by round, since both met the same machine then; the median leaves out what else it was doing.
  const ratio = (style: Style): number =>
    median(hub.rates[style].map((rate, round) => (rate / (bare.rates[style][round] ?? NaN)) * 100))
  const row = (name: string, value: number, unit: string, bar = '', ok = true): BenchRow => ({
    name: `hub: ${name}`,
    value: Math.round(value * 10) / 10,
    unit,
    bar,
    ok,
  })
  return [
    row(`memory with ${CONNECTIONS} connections`, hub.rssMb, 'MB', '≤ 400', hub.rssMb <= 400),
    row('memory of bare ws', bare.rssMb, 'MB'),
    row('broadcast to all, p99', p99, 'ms', '≤ 1000', p99 <= 1000),
    row('deliveries, one broadcast at a time', median(hub.rates.single), '/s'),
    row('the same by bare ws', median(bare.rates.single), '/s'),
    row('ratio', ratio('single'), '%', '≥ 50', ratio('single') >= 50),
    row(`deliveries, ${BURST} broadcasts at once`, median(hub.rates.burst), '/s'),
    row('the same by bare ws', median(bare.rates.burst), '/s'),
    row('ratio', ratio('burst'), '%', '≥ 50', ratio('burst') >= 50),
    row('server time per delivery, one at a time', median(hub.cpuMicros), 'µs'),
    row('the same by bare ws', median(bare.cpuMicros), 'µs'),
  ]
}

if (import.meta.main) {
  const rows = await run()
  console.table(rows)
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
}
