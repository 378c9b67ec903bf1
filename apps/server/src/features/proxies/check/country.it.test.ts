import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testFolder } from '../../../testing/cluster.ts'
import { Countries } from './country.ts'

let folder: Awaited<ReturnType<typeof testFolder>>

beforeAll(async () => {
  folder = await testFolder()
})
afterAll(() => folder.remove())

it('a table of one’s own that is broken is told of once, and the program’s own answers', async () => {
  let told = 0
  const countries = new Countries(folder.path, { warn: () => void (told += 1) })
  expect(await countries.of('81.2.69.142')).toBe('GB')
  const file = join(folder.path, 'country.mmdb')
  await writeFile(file, 'no table at all')
  expect(await Promise.all([1, 2, 3].map(() => countries.of('81.2.69.142')))).toEqual(['GB', 'GB', 'GB'])
  expect(told).toBe(1)
  await rm(file)
  expect(await countries.of('81.2.69.142')).toBe('GB')
  expect(await countries.of('10.0.0.1')).toBeNull()
})
