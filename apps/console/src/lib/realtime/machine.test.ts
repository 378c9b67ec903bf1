import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { socketMachine, type Socket, type SocketState } from './machine.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setUp(outcomes: ('ok' | 'fail')[]) {
  const states: SocketState[] = []
  const closers: (() => void)[] = []
  let tries = 0
  let opens = 0
  let pings = 0
  const machine = socketMachine({
    now: () => Date.now(),
    onState: (state) => states.push(state),
    onOpen: () => {
      opens += 1
    },
    connect: async (): Promise<Socket> => {
      const outcome = outcomes[Math.min(tries, outcomes.length - 1)]
      tries += 1
      return {
        start: async () => {
          if (outcome === 'fail') throw new Error('no')
        },
        stop: async () => {},
        ping: async () => {
          pings += 1
        },
        onClosed: (listener) => closers.push(listener),
      }
    },
  })
  return {
    machine,
    states,
    drop: () => closers.at(-1)?.(),
    counts: () => ({ tries, opens, pings }),
  }
}

test('the first connection begins after 100 ms', async () => {
  const { machine, states, counts } = setUp(['ok'])
  machine.start()
  await vi.advanceTimersByTimeAsync(99)
  expect(counts().tries).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(states).toEqual(['negotiate', 'open'])
  expect(counts()).toMatchObject({ tries: 1, opens: 1 })
})

test('a start that fails is an error, tried again every 5 s ten times, then a disconnect', async () => {
  const { machine, states, counts } = setUp(['fail'])
  machine.start()
  await vi.advanceTimersByTimeAsync(100)
  expect(states.at(-1)).toBe('error')
  expect(counts().tries).toBe(1)
  await vi.advanceTimersByTimeAsync(4999)
  expect(counts().tries).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(counts().tries).toBe(2)
  await vi.advanceTimersByTimeAsync(9 * 5000)
  expect(counts().tries).toBe(11)
  expect(states.at(-1)).toBe('disconnect')
  await vi.advanceTimersByTimeAsync(120_000)
  expect(counts().tries).toBe(11)
})

test('a connection that ends unasked is a disconnect and is tried again after 5 s', async () => {
  const { machine, states, drop, counts } = setUp(['ok'])
  machine.start()
  await vi.advanceTimersByTimeAsync(100)
  drop()
  expect(states.at(-1)).toBe('disconnect')
  await vi.advanceTimersByTimeAsync(4999)
  expect(counts().tries).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(states.slice(-2)).toEqual(['reconnecting', 'open'])
  expect(counts().opens).toBe(2)
})

test('while open it pings every 60 s', async () => {
  const { machine, counts } = setUp(['ok'])
  machine.start()
  await vi.advanceTimersByTimeAsync(100 + 59_999)
  expect(counts().pings).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(counts().pings).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(counts().pings).toBe(2)
})

test('ended on purpose it is closed and stays so', async () => {
  const { machine, states, drop, counts } = setUp(['ok'])
  machine.start()
  await vi.advanceTimersByTimeAsync(100)
  machine.stop()
  drop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(states.at(-1)).toBe('close')
  expect(counts().tries).toBe(1)
})

test('without a sign of life for 60 s and not open it is a disconnect', async () => {
  const states: SocketState[] = []
  const machine = socketMachine({
    now: () => Date.now(),
    onState: (state) => states.push(state),
    onOpen: () => {},
    connect: () => new Promise<Socket>(() => {}),
  })
  machine.start()
  await vi.advanceTimersByTimeAsync(55_000)
  expect(states).toEqual(['negotiate'])
  await vi.advanceTimersByTimeAsync(5000)
  expect(states).toEqual(['negotiate', 'disconnect'])
})

test('trying at once begins the count anew', async () => {
  const { machine, states, counts } = setUp([...Array.from({ length: 11 }, () => 'fail' as const), 'ok'])
  machine.start()
  await vi.advanceTimersByTimeAsync(100 + 10 * 5000)
  expect(states.at(-1)).toBe('disconnect')
  machine.retryNow()
  await vi.advanceTimersByTimeAsync(0)
  expect(states.slice(-2)).toEqual(['negotiate', 'open'])
  expect(counts().tries).toBe(12)
})
