/** The states of the live connection. */
export const SOCKET_STATES = [
  'normal',
  'open',
  'negotiate',
  'reconnecting',
  'error',
  'disconnect',
  'close',
] as const
export type SocketState = (typeof SOCKET_STATES)[number]

/** The exact times and counts of the live connection. */
export const HUB_TIMES = {
  firstConnectMs: 100,
  retryMs: 5000,
  maxAttempts: 10,
  pingMs: 60_000,
  inactivityMs: 60_000,
  serverTimeoutMs: 30_000,
} as const

/** What the machine needs of a connection. */
export interface Socket {
  start: () => Promise<void>
  stop: () => Promise<void>
  ping: () => Promise<void>
  /** Told when the connection ends after it was open. */
  onClosed: (listener: () => void) => void
}

/** The outside of the machine. */
export interface MachineOptions {
  connect: () => Promise<Socket>
  onState: (state: SocketState) => void
  /** Each time the connection is open, also again. */
  onOpen: () => void
  now: () => number
}

/** The running connection. */
export interface SocketMachine {
  /** Begins, 100 ms from now. */
  start: () => void
  /** Ends on purpose. */
  stop: () => void
  /** Tries at once, with a fresh count of attempts. */
  retryNow: () => void
  /** Something came in. */
  touch: () => void
}

/**
 * Keeps one connection alive. A start that fails is `error` and tried again every 5 s, 10 times, then `disconnect`; a
 * connection that ends unasked is `disconnect` and tried again after 5 s. When open, it pings every 60 s. When the last
 * sign of life is 60 s old and it is not open, it is `disconnect`.
 */
export function socketMachine(options: MachineOptions): SocketMachine {
  let state: SocketState = 'normal'
  let socket: Socket | null = null
  let attempts = 0
  let wanted = false
  let lastSign = options.now()
  let round = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let pings: ReturnType<typeof setInterval> | undefined
  let watch: ReturnType<typeof setInterval> | undefined

  const enter = (next: SocketState) => {
    if (state === next) return
    state = next
    options.onState(next)
  }
  const later = (ms: number, next: SocketState) => {
    clearTimeout(timer)
    timer = setTimeout(() => void connect(next), ms)
  }
  const opened = () => {
    attempts = 0
    lastSign = options.now()
    enter('open')
    clearInterval(pings)
    pings = setInterval(() => {
      void socket?.ping().then(touch, () => {
        // A ping that fails means a dying connection, whose end is told by `onClosed`.
      })
    }, HUB_TIMES.pingMs)
    options.onOpen()
  }
  const touch = () => {
    lastSign = options.now()
  }
  const failed = () => {
    attempts += 1
    enter('error')
    if (attempts > HUB_TIMES.maxAttempts) enter('disconnect')
    else later(HUB_TIMES.retryMs, 'reconnecting')
  }
  const connect = async (as: SocketState) => {
    if (!wanted) return
    round += 1
    const mine = round
    enter(as)
    try {
      const made = await options.connect()
      made.onClosed(() => {
        if (mine !== round || !wanted) return
        clearInterval(pings)
        socket = null
        enter('disconnect')
        later(HUB_TIMES.retryMs, 'reconnecting')
      })
      await made.start()
      if (mine !== round || !wanted) {
        await made.stop()
        return
      }
      socket = made
      opened()
    } catch {
      if (mine === round && wanted) failed()
    }
  }
  return {
    start() {
      if (wanted) return
      wanted = true
      attempts = 0
      lastSign = options.now()
      clearInterval(watch)
      watch = setInterval(() => {
        const idle = options.now() - lastSign >= HUB_TIMES.inactivityMs
        if (idle && state !== 'open' && state !== 'close') enter('disconnect')
      }, HUB_TIMES.retryMs)
      later(HUB_TIMES.firstConnectMs, 'negotiate')
    },
    stop() {
      wanted = false
      round += 1
      clearTimeout(timer)
      clearInterval(pings)
      clearInterval(watch)
      void socket?.stop().catch(() => {
        // It is gone either way.
      })
      socket = null
      enter('close')
    },
    retryNow() {
      if (!wanted || state === 'open' || state === 'negotiate') return
      attempts = 0
      clearTimeout(timer)
      void connect('negotiate')
    },
    touch,
  }
}
