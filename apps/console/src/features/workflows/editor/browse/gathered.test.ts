import { expect, it } from 'vitest'
import type { Recorded } from '@weft/contract/attended-runs/watched'
import { Gathered } from './gathered.ts'

const entry = (id: number, seq: number, value = ''): Recorded => ({
  id,
  seq,
  type: 'fill',
  unrecorded: null,
  state: { value },
  label: '',
  secret: null,
})
const told = (...news: Recorded[]) => ({ on: true, full: false, seq: 9, news })

it('keeps what comes, each entry as it was told last, in the order in which it was done, browser after browser', () => {
  const gathered = new Gathered()
  expect(gathered.take('a', told())).toBeNull()
  expect(gathered.take('a', told(entry(1, 1), entry(2, 2, 'A')))).toBe(2)
  expect(gathered.take('a', told(entry(2, 3, 'Ada')))).toBe(3)
  // An older picture that comes again changes nothing.
  expect(gathered.take('a', told(entry(2, 2, 'A')))).toBe(3)
  expect(gathered.take('b', told(entry(1, 1, 'B')))).toBe(1)
  expect(gathered.entries.get().map(({ key, recorded }) => [key, recorded.state['value']])).toEqual([
    ['a 1', ''],
    ['a 2', 'Ada'],
    ['b 1', 'B'],
  ])
})
