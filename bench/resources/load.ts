import { connect, type Socket } from 'node:net'
import { z } from 'zod'
import type { LoadResult } from './load-result.ts'

/** A crowd of connections that ask one after the other, as a process of its own. Says how often and how fast they were answered. */
const order = z.object({
  port: z.number(),
  paths: z.array(z.string()).min(1),
  tokens: z.array(z.string()),
  connections: z.number(),
  seconds: z.number(),
  /** How often each token is used before the next one's turn. */
  each: z.number(),
})

const END = Buffer.from('\r\n\r\n')

/** One connection: asks, waits for the whole answer, asks again. */
class Asker {
  readonly #socket: Socket
  #held: Buffer[] = []
  #length = 0
  #needed = -1
  #answered: ((status: number) => void) | undefined

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true)
    this.#socket.on('data', (bytes) => this.#take(bytes))
  }

  ask(path: string, token: string): Promise<number> {
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${token ? `authorization: Bearer ${token}\r\n` : ''}\r\n`,
    )
    return new Promise((resolve) => (this.#answered = resolve))
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    this.#held.push(bytes)
    this.#length += bytes.length
    if (this.#needed === -1) {
      const begin = Buffer.concat(this.#held)
      this.#held = [begin]
      const head = begin.indexOf(END)
      if (head === -1) return
      const length = /content-length: (\d+)/i.exec(begin.toString('latin1', 0, head))?.[1]
      if (length === undefined) throw new Error('an answer without a length')
      this.#needed = head + END.length + Number(length)
    }
    if (this.#length < this.#needed) return
    const status = Number(this.#held[0]?.toString('latin1', 9, 12))
    this.#held = []
    this.#length = 0
    this.#needed = -1
    this.#answered?.(status)
  }
}

async function run({
  port,
  paths,
  tokens,
  connections,
  seconds,
  each,
}: z.infer<typeof order>): Promise<LoadResult> {
  const times: number[] = []
  let failures = 0
  let n = 0
  const begun = performance.now()
  const until = begun + seconds * 1000
  const work = async () => {
    const asker = new Asker(port)
    while (performance.now() < until) {
      n += 1
      const at = performance.now()
      const status = await asker.ask(
        paths[n % paths.length] ?? '/',
        tokens[Math.floor(n / each) % tokens.length] ?? '',
      )
      times.push(performance.now() - at)
      if (status !== 200) failures += 1
    }
    asker.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
  const took = (performance.now() - begun) / 1000
  times.sort((a, b) => a - b)
  const at = (part: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  return { perSecond: times.length / took, p50: at(0.5), p99: at(0.99), failures }
}

process.on('message', (message) => {
  void run(order.parse(message)).then((result) => process.send?.(result))
})
