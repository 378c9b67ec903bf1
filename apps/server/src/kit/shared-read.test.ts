import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { expect, test } from 'vitest'
import { sharedRead } from './shared-read.ts'

const same = (n: number) => sql`select ${n}::int, ${[n]}::int[]`

/** Reads that end when they are told to. */
function reads() {
  const db = drizzle.mock()
  const open: { resolve: (value: string) => void; reject: (error: Error) => void }[] = []
  const read = () => new Promise<string>((resolve, reject) => open.push({ resolve, reject }))
  return { open, db, ask: (n = 1, at = db) => sharedRead(at, same(n), read) }
}

test('who asks the same while it is read shares the next read, which begins after they asked', async () => {
  const { open, ask } = reads()
  const first = ask()
  const others = [ask(), ask(), ask()]
  expect(open).toHaveLength(1)
  open[0]?.resolve('before')
  expect(await first).toBe('before')
  await new Promise((resolve) => setImmediate(resolve))
  expect(open).toHaveLength(2)
  const late = ask()
  open[1]?.resolve('after')
  expect(await Promise.all(others)).toEqual(['after', 'after', 'after'])
  await new Promise((resolve) => setImmediate(resolve))
  open[2]?.resolve('last')
  expect(await late).toBe('last')
  void ask()
  expect(open).toHaveLength(4)
})

test('other values, and another connection, are read by themselves', () => {
  const { open, db, ask } = reads()
  for (const [n, at] of [
    [1, db],
    [2, db],
    [1, drizzle.mock()],
  ] as const)
    void ask(n, at)
  expect(open).toHaveLength(3)
})

test('a read that fails fails for those who share it, and for nobody after them', async () => {
  const { open, ask } = reads()
  const first = ask()
  const second = ask()
  open[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await new Promise((resolve) => setImmediate(resolve))
  open[1]?.resolve('there again')
  expect(await second).toBe('there again')
})
