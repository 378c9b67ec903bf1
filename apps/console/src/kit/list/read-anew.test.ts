import { QueryClient } from '@tanstack/react-query'
import { accounts } from '@weft/contract/accounts/api'
import { beforeEach, expect, test, vi } from 'vitest'
import { worthRetrying } from '../../lib/query.ts'
import { readAnew } from './read-anew.ts'

const newClient = () =>
  new QueryClient({ defaultOptions: { queries: { retry: worthRetrying, retryDelay: 0 } } })

beforeEach(() => vi.stubGlobal('document', { cookie: '' }))

test('that a list cannot be read anew is said after one try', async () => {
  const fetched = vi.fn(() => Promise.reject(new TypeError('away')))
  vi.stubGlobal('fetch', fetched)
  await expect(readAnew(newClient(), accounts.list, { page: 1 })).rejects.toThrow()
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('the other windows of a list are read anew with the first', async () => {
  const answer = { status: 'Success', data: [], totalRecord: 0, totalPage: 1 }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)))
  const client = newClient()
  const key = (page: number) => [accounts.list.name, { page }]
  client.setQueryData(key(2), {})
  await readAnew(client, accounts.list, { page: 1 })
  expect([1, 2].map((page) => client.getQueryState(key(page))?.isInvalidated)).toEqual([false, true])
})
