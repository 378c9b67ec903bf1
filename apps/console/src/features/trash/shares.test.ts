import { expect, test } from 'vitest'
import { grouped } from './shares.ts'

test('what is chosen is parted by kind, each with ids of its own', () => {
  expect(grouped(['proxies:1', 'accounts:2', 'proxies:3', 'nothing:4', 'odd'])).toEqual([
    { kind: 'accounts', selection: { ids: ['2'] } },
    { kind: 'proxies', selection: { ids: ['1', '3'] } },
  ])
})
