// Many agents in one process, speaking the real protocol over the real calls, with executors that do nothing. Run by
// bench/engine.ts as a child: what it costs must not be counted to the server.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { AGENT_STREAM_PATH, agents } from '@weft/contract/agents/api'
import { commandSchema, sessionPayload } from '@weft/contract/agents/sessions'
import { clientOf } from '@weft/contract/core/client'
import { z } from 'zod'

const GATHER_MS = 12
const versions = {
  agent: 'bench',
  protocolMin: 1,
  protocolMax: 1,
  playwright: '0',
  node: process.version,
  browsers: [],
}

/** Joins as one client and settles every offer at once: claim, start, finish, each call for all that waits. */
async function simulate(serverUrl: string, joinCode: string, slots: number, name: string): Promise<void> {
  const keys = generateKeyPairSync('ed25519')
  const open = clientOf({ baseUrl: serverUrl }, agents)
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const about = { name, os: 'bench', arch: 'bench', machineId: name, slots, versions }
  const { clientId } = await open.register({ joinCode, publicKey, ...about })
  const { nonce } = await open.challenge({ clientId })
  const instanceId = randomUUID()
  const payload = Buffer.from(sessionPayload({ clientId, nonce, instanceId }))
  const session = await open.session({
    clientId,
    nonce,
    instanceId,
    previousInstanceId: null,
    machineId: name,
    signature: sign(null, payload, keys.privateKey).toString('base64'),
    clock: new Date().toISOString(),
    slots,
    versions,
  })
  const calls = clientOf(
    { baseUrl: serverUrl, headers: () => ({ authorization: `Bearer ${session.token}` }) },
    agents,
  )
  const waiting: { runId: string; leaseToken: string }[] = []
  let busy = false
  const work = async () => {
    if (busy) return
    busy = true
    while (waiting.length > 0) {
      // Offers for slots that became free together come within moments of each other; one call takes them all up.
      await sleep(GATHER_MS)
      const claims = waiting.splice(0, slots)
      const claimed = await calls.claim({ claims })
      const held = claims.filter(({ runId }) =>
        claimed.results.some((result) => result.ok && result.runId === runId),
      )
      if (held.length === 0) continue
      await calls.start({ runs: held })
      const at = new Date().toISOString()
      const ref = { at, path: 'only', stepId: 'only' }
      await calls.finish({
        runs: held.map((holder) => ({
          ...holder,
          result: 'succeeded' as const,
          error: null,
          outputs: {},
          events: [
            {
              seq: 1,
              type: 'stepStarted' as const,
              ...ref,
              attempt: 1,
              name: 'Only',
              activity: 'finish',
              input: {},
            },
            {
              seq: 2,
              type: 'stepFinished' as const,
              ...ref,
              attempt: 1,
              state: 'succeeded' as const,
              outcome: 'done',
              durationMs: 0,
              output: null,
              error: null,
            },
          ],
          eventCount: 2,
          logBytes: 0,
          browser: null,
        })),
      })
    }
    busy = false
  }
  const stream = new HubConnectionBuilder()
    .withUrl(serverUrl + AGENT_STREAM_PATH, { accessTokenFactory: () => session.token })
    .configureLogging(LogLevel.Error)
    .build()
  stream.on('send', (envelope: unknown) => {
    const { message } = z.object({ message: commandSchema }).parse(envelope)
    if (message.type !== 'offer') return
    waiting.push({ runId: message.runId, leaseToken: message.leaseToken })
    void work()
  })
  await stream.start()
  let seq = 0
  const beat = () =>
    calls
      .heartbeat({
        seq: (seq += 1),
        clock: new Date().toISOString(),
        slots: [],
        freeSlots: slots,
        userIns: 0,
        cpu: null,
        memMb: null,
        diskFreeMb: null,
        localIp: null,
        refusing: null,
        state: 'running',
      })
      .catch(() => undefined)
  setInterval(() => void beat(), 15_000)
  await beat()
}

process.on('message', (message) => {
  const { serverUrl, joinCodes, slots } = z
    .object({ serverUrl: z.string(), joinCodes: z.array(z.string()), slots: z.number() })
    .parse(message)
  Promise.all(joinCodes.map((code, index) => simulate(serverUrl, code, slots, `bench-${index}`))).then(
    () => process.send?.('ready'),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
