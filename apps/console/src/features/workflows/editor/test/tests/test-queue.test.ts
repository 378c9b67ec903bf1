import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { emptyDocument } from '@weft/workflow/document'
import { TestQueue } from './test-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A queue at a server where runs go on until they are ended here, with what was asked of it. */
function queueOf({ cancels = true } = {}) {
  const begun: string[] = []
  const over = new Set<string>()
  const reach = { cancels }
  const queue = new TestQueue({
    run: ({ id }) => {
      begun.push(id)
      return Promise.resolve({ id: `run of ${id}` })
    },
    cancel: (id) => {
      if (!reach.cancels) return Promise.reject(new Error('out of reach'))
      over.add(id)
      return Promise.resolve()
    },
    isOver: (id) => Promise.resolve(over.has(id)),
  })
  const run = (...testIds: string[]) =>
    queue.run({
      testIds,
      document: emptyDocument(),
      clientId: null,
      secrets: {},
      ask: () => Promise.resolve(false),
      begun: () => undefined,
    })
  const soon = () => vi.advanceTimersByTimeAsync(2000)
  return { queue, run, begun, over, reach, soon }
}

it('runs one test after the other', async () => {
  const { queue, run, begun, over, soon } = queueOf()
  const done = run('a', 'b')
  await soon()
  expect(begun).toEqual(['a'])
  over.add('run of a')
  await soon()
  expect(begun).toEqual(['a', 'b'])
  over.add('run of b')
  await soon()
  expect(await done).toBe(true)
  expect(queue.busy).toBe(false)
})

it('can be stopped again where stopping failed, and never says that all was run', async () => {
  const { queue, run, begun, reach, soon } = queueOf({ cancels: false })
  const done = run('a', 'b')
  await soon()
  await expect(queue.stop()).rejects.toThrow('out of reach')
  expect(queue.state.get()).toMatchObject({ stopping: false, waiting: [], current: { testId: 'a' } })
  reach.cancels = true
  await queue.stop()
  await soon()
  expect(await done).toBe(false)
  expect(begun).toEqual(['a'])
  expect(queue.busy).toBe(false)
})

it('begins nothing more and looks no further once its editor is left', async () => {
  const { queue, run, begun, soon } = queueOf()
  const done = run('a', 'b')
  await soon()
  queue.leave()
  await soon()
  expect(await done).toBe(false)
  expect(begun).toEqual(['a'])
  // An editor that is there again may go on with it.
  const again = run('b')
  await soon()
  expect(begun).toEqual(['a', 'b'])
  await queue.stop()
  await soon()
  expect(await again).toBe(false)
})
