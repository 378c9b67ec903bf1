import { afterAll, beforeAll, expect, it } from 'vitest'
import { Ground } from './testing/ground.ts'

let ground: Ground

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())

it('gives the ledger page by page, in the order that is asked, and whole', async () => {
  const agent = await ground.agent()
  const id = await ground.campaign(5, [agent])
  const page = async (query: { page?: number; perPage?: number; sortDesc?: boolean }) => {
    const { data, totalRecord } = await ground.campaigns.items({ id, sortBy: 'seq', ...query })
    return { seqs: data.map(({ seq }) => seq), totalRecord }
  }
  expect(await page({ page: 1, perPage: 2 })).toEqual({ seqs: [1, 2], totalRecord: 5 })
  expect(await page({ page: 2, perPage: 2 })).toEqual({ seqs: [3, 4], totalRecord: 5 })
  expect(await page({ page: 3, perPage: 2 })).toEqual({ seqs: [5], totalRecord: 5 })
  expect(await page({ page: 2, perPage: 2, sortDesc: true })).toEqual({ seqs: [3, 2], totalRecord: 5 })
  expect(await page({ perPage: -1 })).toEqual({ seqs: [1, 2, 3, 4, 5], totalRecord: 5 })
  await agent.leave()
})
