import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from './sha256.ts'

test('it is that of everybody else, at every length around a block', () => {
  for (const text of [
    '',
    'abc',
    'é…🙂',
    ...Array.from({ length: 140 }, (_, n) => 'x'.repeat(n)),
    'y'.repeat(70_000),
  ])
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
})
