import { expect, test } from 'vitest'
import { isClosed, splitBotKey } from './config.ts'

test.each([
  ['a-b-c-d', { key: 'a-b-c', extsId: 'd' }],
  ['a-b-c', { key: 'a-b-c', extsId: null }],
  ['a-b-c-d-e', { key: 'a-b-c-d-e', extsId: null }],
  ['', { key: '', extsId: null }],
])('the key %s is split when it has exactly four parts', (key, expected) => {
  expect(splitBotKey(key)).toEqual(expected)
})

test('1 is open, 2 is open for reading, anything else is closed', () => {
  expect([0, 1, 2, 3, -1].map(isClosed)).toEqual([true, false, false, true, true])
})
