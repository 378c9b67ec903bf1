import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulatedAgent, type SimulatedAgent } from '../src/connection/simulated.ts'
import { chain } from './support/agent.ts'
import { FakeServer, until } from './support/server.ts'

describe('simulated agents', () => {
  const server = new FakeServer()
  let agents: SimulatedAgent[] = []

  beforeAll(async () => {
    server.state.slots = 10
    await server.start()
    agents = await Promise.all(
      [0, 1, 2].map(() =>
        startSimulatedAgent({ serverUrl: server.url, joinCode: server.state.joinCode(), slots: 10 }),
      ),
    )
  })
  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.stop()))
    await server.stop()
    expect(server.malformed).toEqual([])
  })

  it('take what is offered and finish it, in few calls', async () => {
    const document = chain([{ id: 'end', type: 'finish', state: {} }])
    const runs = Array.from({ length: 10 }, () => server.state.offer(document))
    await until('all are finished', () => runs.every(({ finish }) => finish))
    expect(runs.every(({ finish }) => finish?.result === 'succeeded')).toBe(true)
    expect(server.counts.get('finish')).toBeLessThan(30)
  })

  it('go on with the identity that they joined with', async () => {
    const [first] = agents
    if (!first) throw new Error('There is no agent.')
    await first.stop()
    const [client] = [server.state.clients.get(first.identity.clientId)]
    if (client) client.seenAt = 0
    const again = await startSimulatedAgent({ serverUrl: server.url, identity: first.identity, slots: 1 })
    expect(again.identity.clientId).toBe(first.identity.clientId)
    agents[0] = again
  })
})
