import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { z } from 'zod'
import { createHub, type Hub } from '../../src/hub.ts'
import { HubError, methodOf, streamOf, to, type HubOptions } from '../../src/types.ts'
import { FakeClock } from './fake-clock.ts'

export interface TestUser {
  name: string
}

export interface TestHub {
  app: FastifyInstance
  hub: Hub<TestUser>
  clock: FakeClock
  origin: string
  url: string
  /** What `onConnected` and `onDisconnected` saw, in order. */
  seen: string[]
  close(): Promise<void>
}

const method = methodOf<TestUser>()
const stream = streamOf<TestUser>()
const noArgs = z.tuple([])

/** Resolves after real time. */
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until something holds, for a short real time. */
export async function until(holds: () => boolean, what = 'the condition', ms = 20_000): Promise<void> {
  const end = Date.now() + ms
  while (!holds()) {
    if (Date.now() > end) throw new Error(`Waited too long for ${what}.`)
    await sleep(5)
  }
}

/**
 * A token names its user: `ann`, `ann@<wall time of its end>`, `slow.ann` takes a while to check; `bad` and `foreign`
 * are refused, `broken` makes the check fail.
 */
async function authenticate({ token }: { token: string }) {
  if (token === 'bad') return { status: 401 as const }
  if (token === 'foreign') return { status: 403 as const }
  if (token === 'broken') throw new Error('the database password is hunter2')
  if (token.startsWith('slow.')) await sleep(60)
  const [name = '', end] = token.replace(/^slow\./, '').split('@')
  return { user: { name }, userId: name, expiresAt: end === undefined ? undefined : Number(end) }
}

/** The methods that tests call. */
export function testMethods(hub: () => Hub<TestUser>) {
  return {
    PingPong: method({
      args: z.tuple([z.literal('Ping')]),
      handle: (call) => {
        hub().send(to.connection(call.connection.connectionId), 'send', {
          method: 'pingPong',
          message: 'Pong',
        })
        return 'Pong'
      },
    }),
    Echo: method({ args: z.tuple([z.unknown()]), handle: (_call, value) => value }),
    Later: method({
      args: z.tuple([z.number(), z.unknown()]),
      handle: async (_call, ms, value) => {
        await sleep(ms)
        return value
      },
    }),
    Who: method({ args: noArgs, handle: (call) => call.user.name }),
    Nothing: method({ args: noArgs, handle: () => undefined }),
    Null: method({ args: noArgs, handle: () => null }),
    Fail: method({
      args: noArgs,
      handle: () => {
        throw new Error('SELECT secret FROM /etc/passwd')
      },
    }),
    FailOpenly: method({
      args: noArgs,
      handle: () => {
        throw new HubError('The cupboard is bare.')
      },
    }),
    Unspeakable: method({ args: noArgs, handle: () => 10n }),
    Join: method({
      args: z.tuple([z.string()]),
      handle: (call, group) => hub().groups.add(call.connection.connectionId, group),
    }),
    Sum: method({
      args: noArgs,
      uploads: 1,
      handle: async (call) => {
        let sum = 0
        for await (const item of call.uploads[0] ?? []) sum += Number(item)
        return sum
      },
    }),
  }
}

/** The streams that tests read. */
export function testStreams(seen: string[]) {
  return {
    Count: stream({
      args: z.tuple([z.number()]),
      async *handle(_call, upTo) {
        for (let i = 0; i < upTo; i += 1) yield i
      },
    }),
    Forever: stream({
      args: noArgs,
      async *handle(call) {
        try {
          for (let i = 0; !call.signal.aborted; i += 1) {
            yield i
            await sleep(1)
          }
        } finally {
          seen.push('forever ended')
        }
      },
    }),
    Broken: stream({
      args: noArgs,
      async *handle() {
        yield 1
        throw new Error('SELECT secret')
      },
    }),
  }
}

/** A hub on a real port, with held time unless another clock is given. */
export async function startHub(
  options: Partial<HubOptions<TestUser>> = {},
  fastify: FastifyServerOptions = {},
  prepare: (app: FastifyInstance) => void = () => undefined,
): Promise<TestHub> {
  const clock = new FakeClock()
  const seen: string[] = []
  const hub: Hub<TestUser> = createHub<TestUser>({
    path: '/hub',
    authenticate,
    methods: testMethods(() => hub),
    streams: testStreams(seen),
    onConnected: (connection) => void seen.push(`+${connection.userId}`),
    onDisconnected: (connection, reason) => void seen.push(`-${connection.userId} ${reason}`),
    clock,
    ...options,
  })
  // Clients open spare sockets; Node waits for those that never carried a request.
  const app = Fastify({ forceCloseConnections: true, ...fastify })
  prepare(app)
  await app.register(hub.plugin)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  const origin = `http://127.0.0.1:${address.port}`
  let closing: Promise<void> | null = null
  return {
    app,
    hub,
    clock,
    seen,
    origin,
    url: `${origin}${options.path ?? '/hub'}`,
    close: () =>
      (closing ??= (async () => {
        const closed = app.close()
        // Held time never reaches the end of the drain by itself.
        void clock.advance(10_000)
        await closed
      })()),
  }
}
