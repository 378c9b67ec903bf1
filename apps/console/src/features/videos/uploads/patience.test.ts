import { expect, test } from 'vitest'
import { CallFailure } from '../../../lib/failure.ts'
import { patiently } from './patience.ts'

const failure = (status: number) => new CallFailure(status, { status: 'Error', code: 'x', message: 'x' })
const atOnce = () => Promise.resolve()

/** Fails with each of these in turn, and then answers. */
function after(...failures: Error[]) {
  let asked = 0
  return {
    times: () => asked,
    work: async () => {
      const next = failures[asked]
      asked += 1
      if (next) throw next
      return 'answer'
    },
  }
}

test('a lost network is waited for, however long it takes', async () => {
  const { work, times } = after(...Array.from({ length: 50 }, () => failure(0)))
  expect(await patiently(work, atOnce)).toBe('answer')
  expect(times()).toBe(51)
})

test('a server that starts anew is asked again, but not for ever', async () => {
  expect(await patiently(after(failure(503), failure(429)).work, atOnce)).toBe('answer')
  const broken = after(...Array.from({ length: 50 }, () => failure(500)))
  await expect(patiently(broken.work, atOnce)).rejects.toMatchObject({ httpStatus: 500 })
  expect(broken.times()).toBe(8)
})

test('a refusal and a fault of our own are thrown at once', async () => {
  const refused = after(failure(403))
  await expect(patiently(refused.work, atOnce)).rejects.toMatchObject({ httpStatus: 403 })
  const faulty = after(new TypeError('x'))
  await expect(patiently(faulty.work, atOnce)).rejects.toBeInstanceOf(TypeError)
  expect([refused.times(), faulty.times()]).toEqual([1, 1])
})
