import { expect, test } from 'vitest'
import { leanly } from './lean.ts'

async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n += 1) yield n
}

test('all rows come through in order, also very many, and also where the reader stops early', async () => {
  let sum = 0
  for await (const n of leanly(numbers(12_000))) sum += n
  expect(sum).toBe((12_000 * 11_999) / 2)
  let closed = false
  async function* watched() {
    try {
      yield* numbers(20_000)
    } finally {
      closed = true
    }
  }
  for await (const n of leanly(watched())) if (n === 9_000) break
  expect(closed).toBe(true)
})
