import { afterAll, beforeAll, expect, test } from 'vitest'
import { phones } from '@weft/contract/phones/api'
import { Ground } from '../../engine/testing/ground.ts'

let ground: Ground

beforeAll(async () => {
  ground = await Ground.open()
})
afterAll(() => ground.server.stop())

test('a number tells when a run used it last', async () => {
  const api = ground.person.api(phones)
  const agent = await ground.agent(1)
  const [used, unused] = [
    await api.create({ phoneNumber: '+442071838760' }),
    await api.create({ phoneNumber: '+442071838761' }),
  ]
  const lastUsed = async () => (await api.get({ id: used.id })).lastUsedAt
  const account = await ground.account({ phoneId: used.id })
  const pairing = {
    per: 'account',
    account: 'none',
    profile: 'none',
    proxy: 'none',
    phone: 'link',
    video: 'none',
  } as const
  const id = await ground.campaign([account], [agent], { pairing })
  const holder = await agent.begin()
  expect(await lastUsed()).toBeNull()
  await agent.finish(holder)
  await ground.reaches(id, 'finished')
  expect(Date.now() - Date.parse((await lastUsed()) ?? '')).toBeLessThan(60_000)
  const sorted = await api.list({ sortBy: 'lastUsedAt', sortDesc: true })
  expect(sorted.data.map((one) => one.id)).toEqual([used.id, unused.id])
  await agent.leave()
})
