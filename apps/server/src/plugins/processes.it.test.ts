import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { wholeSignIn } from '@weft/contract/access/schema'
import { clients } from '@weft/contract/clients/api'
import { clientOf } from '@weft/contract/core/client'
import type { ChangeEvent, HubEnvelope } from '@weft/contract/core/events'
import { projects } from '@weft/contract/projects/api'
import { joinAgent } from '../testing/agent.ts'
import { testDatabase, testFolder, type TestDatabase } from '../testing/cluster.ts'
import { PROGRAM_ADMIN, programOn, type Program } from '../testing/program.ts'

let database: TestDatabase
let folders: Awaited<ReturnType<typeof testFolder>>[]
let programs: Program[]
let token: string

beforeAll(async () => {
  database = await testDatabase()
  folders = [await testFolder(), await testFolder()]
  programs = []
  // One after the other: the second would wait for the first one's migrations anyway.
  for (const folder of folders) programs.push(await programOn(database, folder.path))
  token = wholeSignIn(await clientOf({ baseUrl: url(0) }, access).login(PROGRAM_ADMIN)).token
})

afterAll(async () => {
  for (const program of programs) await program.end('SIGTERM')
  await database.drop()
  for (const folder of folders) await folder.remove()
})

const url = (index: number) => programs[index]?.url ?? ''
const as = (index: number) => ({
  baseUrl: url(index),
  headers: () => ({ authorization: `Bearer ${token}` }),
})

/** A page open at one of the processes. */
async function openPage(index: number) {
  const received: HubEnvelope[] = []
  const connection = new HubConnectionBuilder()
    .withUrl(`${url(index)}/hub`, {
      accessTokenFactory: () => token,
      transport: HttpTransportType.WebSockets,
    })
    .configureLogging(LogLevel.None)
    .build()
  connection.on('send', (envelope: HubEnvelope) => received.push(envelope))
  await connection.start()
  const changed = () => received.flatMap(({ message }) => (isChange(message) ? [message.id] : []))
  return { changed, stop: () => connection.stop() }
}

const isChange = (message: unknown): message is ChangeEvent =>
  typeof message === 'object' && message !== null && 'seq' in message && 'id' in message

describe('two server processes on one database', () => {
  it('tell each other’s open pages of changes', async () => {
    const [here, there] = [await openPage(0), await openPage(1)]
    const first = await clientOf(as(0), projects).create({ name: 'made by the first' })
    const second = await clientOf(as(1), projects).create({ name: 'made by the second' })
    for (const page of [here, there])
      await expect.poll(page.changed).toEqual(expect.arrayContaining([first.id, second.id]))
    await here.stop()
    await there.stop()
  })

  it('command each other’s agents, each command once', async () => {
    const joinCodes = [0, 1].map((index) => clientOf(as(index), clients).joinCode({ maxSlots: 2 }))
    const codes = (await Promise.all(joinCodes)).map(({ code }) => code)
    const [here, there] = [await joinAgent(url(0), codes[0] ?? ''), await joinAgent(url(1), codes[1] ?? '')]
    const states = (agent: typeof here) =>
      agent.commands.flatMap((command) => (command.type === 'admin' ? [command.admin] : []))
    for (const index of [0, 1])
      for (const agent of [here, there]) {
        const calls = clientOf(as(index), clients)
        agent.commands.length = 0
        await calls.pause({ id: agent.clientId, note: 'a test' })
        await calls.enable({ id: agent.clientId })
        await expect.poll(() => states(agent)).toEqual(['paused', 'enabled'])
      }
    // Whatever was still on its way would have come by now.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(states(there)).toEqual(['paused', 'enabled'])
    await here.stream.stop()
    await there.stream.stop()
  })

  it('leave nothing behind when one of them is killed', async () => {
    const agentCode = await clientOf(as(0), clients).joinCode({ maxSlots: 1 })
    const agent = await joinAgent(url(0), agentCode.code)
    await programs[1]?.end('SIGKILL')
    await clientOf(as(0), clients).drain({ id: agent.clientId })
    await expect.poll(() => agent.commands.at(-1)).toMatchObject({ type: 'admin', admin: 'draining' })
    await agent.stream.stop()
  })
})
