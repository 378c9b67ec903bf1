import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Gatherer } from './gather.ts'

it('answers a call in a quiet time at once and alone', async () => {
  const turns: number[][] = []
  const gatherer = new Gatherer<number, number>(async (inputs) => {
    turns.push([...inputs])
    return inputs.map((input) => input * 2)
  })
  await expect(gatherer.ask(1)).resolves.toBe(2)
  await sleep(40)
  await expect(gatherer.ask(2)).resolves.toBe(4)
  expect(turns).toEqual([[1], [2]])
})

it('answers what comes during a turn together in the next, each with its own answer', async () => {
  const turns: number[] = []
  const gatherer = new Gatherer<number, number>(async (inputs) => {
    turns.push(inputs.length)
    await sleep(5)
    return inputs.map((input) => input + 100)
  })
  const answers = await Promise.all(Array.from({ length: 101 }, (_, index) => gatherer.ask(index)))
  expect(answers).toEqual(Array.from({ length: 101 }, (_, index) => index + 100))
  expect(turns).toEqual([1, 64, 36])
})

it('answers each alone when a turn fails, so that only the bad call fails', async () => {
  const gatherer = new Gatherer<number, number>(async (inputs) => {
    await sleep(1)
    if (inputs.includes(3)) throw new Error('three')
    return inputs
  })
  const ended = await Promise.allSettled([0, 1, 2, 3, 4].map((input) => gatherer.ask(input)))
  expect(ended.map((one) => one.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
})

it('does not let a turn that hangs hold up the calls after it', async () => {
  const gatherer = new Gatherer<string, string>(async (inputs) => {
    if (inputs.includes('slow')) await sleep(2_000)
    return inputs
  })
  const order: string[] = []
  const ask = async (input: string) => order.push(await gatherer.ask(input))
  await Promise.all([ask('slow'), sleep(10).then(() => ask('quick'))])
  expect(order).toEqual(['quick', 'slow'])
})
