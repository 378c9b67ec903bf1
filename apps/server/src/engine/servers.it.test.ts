import { afterAll, beforeAll, expect, it } from 'vitest'
import { clients } from '@weft/contract/clients/api'
import { joinAgent } from '../testing/agent.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { eventually, Ground } from './testing/ground.ts'
import { HandAgent } from './testing/hand-agent.ts'

let ground: Ground
let second: TestServer

beforeAll(async () => {
  ground = await Ground.open()
  second = await startTestServer({ database: ground.server.database })
})
afterAll(async () => {
  await second.stop()
  await ground.server.stop()
})

it('two servers that dispatch the same campaign give each item once and settle it once', async () => {
  const { code } = await ground.person.api(clients).joinCode({ maxSlots: 8 })
  const agents = [await ground.agent(4), new HandAgent(await joinAgent(second.url, code, 4))]
  const id = await ground.campaign(30, agents)
  const runs = new Set<string>()
  await eventually(async () => {
    await Promise.all(
      agents.map(async (agent) => {
        for (const holder of await agent.offers()) {
          runs.add(holder.runId)
          await agent.claim(holder)
          await agent.calls.start({ runs: [holder] })
          expect(await agent.finish(holder)).toMatchObject({ status: 'accepted' })
        }
      }),
    )
    expect(await ground.tally(id)).toEqual({ done: 30 })
  })
  await ground.reaches(id, 'finished')
  expect(runs.size).toBe(30)
  expect((await ground.items(id)).every(({ attempt }) => attempt === 1)).toBe(true)
  for (const agent of agents) await agent.leave()
})
