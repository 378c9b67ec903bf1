import { expect, test } from 'vitest'
import { settle } from './settle.ts'

type Row = { id: string; n: number } | undefined
const idOf = (row: Row) => row?.id ?? ''
const row = (id: string, n = 0) => ({ id, n })

test('rows that nobody looks at are simply the new ones', () => {
  const next = [row('b'), row('a')]
  expect(settle<Row>([row('a'), row('b')], next, false, idOf)).toEqual({
    rows: next,
    waiting: false,
    gone: new Set(),
  })
})

test('values change in place while the pointer is among the rows', () => {
  const next = [row('a', 2), row('b', 3)]
  expect(settle<Row>([row('a'), row('b')], next, true, idOf)).toEqual({
    rows: next,
    waiting: false,
    gone: new Set(),
  })
})

test('another order waits, with the new values in the old places', () => {
  expect(settle<Row>([row('a'), row('b')], [row('b', 1), row('a', 1)], true, idOf)).toEqual({
    rows: [row('a', 1), row('b', 1)],
    waiting: true,
    gone: new Set(),
  })
})

test('rows that are gone or new wait', () => {
  expect(settle<Row>([row('a'), row('b')], [row('c'), row('a', 5)], true, idOf)).toEqual({
    rows: [row('a', 5), row('b')],
    waiting: true,
    gone: new Set(['b']),
  })
})

test('places that were still empty are filled at once', () => {
  expect(settle<Row>([row('a'), undefined], [row('a'), row('b')], true, idOf)).toEqual({
    rows: [row('a'), row('b')],
    waiting: false,
    gone: new Set(),
  })
})
