import { expect, test } from 'vitest'
import { z } from 'zod'
import { readJsonFile } from './json-file.ts'

test('gives what a file holds, and null for what is none, or another thing', async () => {
  const form = z.object({ n: z.number() })
  const read = (text: string) => readJsonFile(new Blob([text]), form)
  expect(await read('{"n":1,"more":2}')).toEqual({ n: 1 })
  for (const text of ['{"n":"1"}', '[]', '', '{"n":', '\0']) expect(await read(text), text).toBeNull()
})
