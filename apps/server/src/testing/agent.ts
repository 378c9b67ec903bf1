import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { HttpTransportType, HubConnectionBuilder, LogLevel, type HubConnection } from '@microsoft/signalr'
import { z } from 'zod'
import { AGENT_STREAM_PATH, agents } from '@weft/contract/agents/api'
import { commandSchema, sessionPayload, type AgentCommand } from '@weft/contract/agents/sessions'
import { clientOf, type ClientOf } from '@weft/contract/core/client'

const versions = {
  agent: 'test',
  protocolMin: 1,
  protocolMax: 1,
  playwright: '0',
  node: process.version,
  browsers: [],
}
const envelope = z.object({ message: commandSchema })

/** An agent with a session, connected to its stream, that does nothing but hear. */
export interface TestAgent {
  clientId: string
  token: string
  calls: ClientOf<typeof agents>
  stream: HubConnection
  commands: AgentCommand[]
}

/** Joins as a new client by the real calls, and opens the stream with the official client. */
export async function joinAgent(baseUrl: string, joinCode: string, slots = 2): Promise<TestAgent> {
  const keys = generateKeyPairSync('ed25519')
  const open = clientOf({ baseUrl }, agents)
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const machineId = randomUUID()
  const { clientId } = await open.register({
    joinCode,
    publicKey,
    name: 'a test’s agent',
    os: 'test',
    arch: 'test',
    machineId,
    slots,
    versions,
  })
  const { nonce } = await open.challenge({ clientId })
  const instanceId = randomUUID()
  const payload = Buffer.from(sessionPayload({ clientId, nonce, instanceId }))
  const { token } = await open.session({
    clientId,
    nonce,
    instanceId,
    previousInstanceId: null,
    machineId,
    signature: sign(null, payload, keys.privateKey).toString('base64'),
    clock: new Date().toISOString(),
    slots,
    versions,
  })
  const commands: AgentCommand[] = []
  const stream = new HubConnectionBuilder()
    .withUrl(baseUrl + AGENT_STREAM_PATH, {
      accessTokenFactory: () => token,
      transport: HttpTransportType.WebSockets,
    })
    .configureLogging(LogLevel.None)
    .build()
  stream.on('send', (sent: unknown) => commands.push(envelope.parse(sent).message))
  await stream.start()
  const headers = () => ({ authorization: `Bearer ${token}` })
  return { clientId, token, calls: clientOf({ baseUrl, headers }, agents), stream, commands }
}
