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
const ROUNDS = 3
/** Broadcasts sent in one go for the throughput, and one by one for the latency. */
const BURST = 100
const SINGLE = 20

// The hub's own ws, on both sides and in both servers, so that only the hub differs.
const require = createRequire(import.meta.resolve('@weft/hub/hub'))
const WebSocket = require('ws') as typeof WebSocketClass

type Kind = 'hub' | 'ws'

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
    this.received += 1
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

interface Figures {
  rssMb: number
  p99Ms: number
  perSecond: number
  cpuMicros: number
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

async function measure(kind: Kind): Promise<Figures> {
  const server = new Server(kind)
  const crowd = new Crowd()
  try {
    const { port } = await server.ready()
    await crowd.connect(kind, port)
    let { rssMb } = await server.ask('report')

    const rates: number[] = []
    const cpu: number[] = []
    // The first round only warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const before = await server.ask('report')
      const all = crowd.expect(CONNECTIONS * BURST)
      const start = performance.now()
      await server.ask('broadcast', BURST)
      await all
      const seconds = (performance.now() - start) / 1000
      const after = await server.ask('report')
      rssMb = Math.max(rssMb, after.rssMb)
      if (round === 0) continue
      rates.push((CONNECTIONS * BURST) / seconds)
      cpu.push(((after.cpuMs - before.cpuMs) * 1000) / (CONNECTIONS * BURST))
    }

    crowd.measuring = true
    for (let i = 0; i < SINGLE; i += 1) {
      const all = crowd.expect(CONNECTIONS)
      await server.ask('broadcast', 1)
      await all
    }
    const sorted = crowd.latencies.toSorted((a, b) => a - b)
    return {
      rssMb,
      p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? NaN,
      perSecond: median(rates),
      cpuMicros: median(cpu),
    }
  } finally {
    crowd.close()
    await server.stop()
  }
}

/** 2,000 connections through a real server process, beside a bare `ws` server that does the same. */
export async function run(): Promise<BenchRow[]> {
  const hub = await measure('hub')
  const bare = await measure('ws')
  const ratio = (hub.perSecond / bare.perSecond) * 100
  const row = (name: string, value: number, unit: string, bar = '', ok = true): BenchRow => ({
    name: `hub: ${name}`,
    value: Math.round(value * 10) / 10,
    unit,
    bar,
    ok,
  })
  return [
    row(`memory with ${CONNECTIONS} connections`, hub.rssMb, 'MB', '≤ 400', hub.rssMb <= 400),
    row('broadcast to all, p99', hub.p99Ms, 'ms', '≤ 1000', hub.p99Ms <= 1000),
    row('deliveries', hub.perSecond, '/s'),
    row('deliveries of bare ws', bare.perSecond, '/s'),
    row('deliveries beside bare ws', ratio, '%', '≥ 50', ratio >= 50),
    row('server time per delivery', hub.cpuMicros, 'µs'),
    row('server time per delivery of bare ws', bare.cpuMicros, 'µs'),
  ]
}

if (import.meta.main) {
  const rows = await run()
  console.table(rows)
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
}
