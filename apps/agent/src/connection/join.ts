import { arch, platform, release } from 'node:os'
import { CallError } from '@weft/contract/core/client'
import { AgentExit, EXIT } from '../exit-codes.ts'
import { describeError, type Logger } from '../log.ts'
import { fingerprint } from '../machine/state.ts'
import type { Browser } from '../machine/browsers.ts'
import { versionsWith } from '../version.ts'
import { createApi } from './api.ts'
import { Backoff, isPassing, pause } from './backoff.ts'
import { createIdentity, loadIdentity, saveIdentity, usableIdentity, type Identity } from './identity.ts'

/** What joining needs besides the server's answer. */
export interface JoinOptions {
  dataDir: string
  server: string | undefined
  joinCode: string | undefined
  name: string
  slots: number
  labels: string[]
  browsers: readonly Browser[]
  logger: Logger
  signal: AbortSignal
}

/**
 * The identity in the data folder; where there is none yet, joins with the code. The key is on disk before the server
 * hears of it, so a power cut while joining loses nothing that cannot be asked again.
 */
export async function joinOnce(options: JoinOptions): Promise<Identity> {
  const { dataDir, server, joinCode, logger } = options
  let stored = await loadIdentity(dataDir)
  const ready = stored && usableIdentity(stored)
  if (ready) {
    if (server === undefined || server === ready.serverUrl) return ready
    // The same server may have got another address; who it is shows when it signs the first job.
    logger.info('The server has another address than before.', { before: ready.serverUrl, now: server })
    return { ...ready, serverUrl: server }
  }
  if (server === undefined || joinCode === undefined)
    throw new AgentExit(
      EXIT.settings,
      'This agent has not joined a server yet: start it with --server URL --join CODE ("Add client" in the console).',
    )
  if (stored?.serverUrl !== server) {
    stored = createIdentity(server)
    await saveIdentity(dataDir, stored)
  }
  const answer = await register(options, server, joinCode, stored.publicKey)
  stored = { ...stored, ...answer }
  await saveIdentity(dataDir, stored)
  const identity = usableIdentity(stored)
  if (!identity) throw new AgentExit(EXIT.failed, 'The server sent an incomplete identity.')
  logger.info('Joined.', { client: identity.clientId, key: identity.clientKey })
  return identity
}

async function register(options: JoinOptions, serverUrl: string, joinCode: string, publicKey: string) {
  const { dataDir, name, slots, labels, browsers, logger, signal } = options
  const api = createApi({ serverUrl, token: () => undefined })
  const backoff = new Backoff()
  const machineId = await fingerprint(dataDir)
  const os = `${platform()} ${release()}`.slice(0, 200)
  for (;;) {
    try {
      return await api.register(
        {
          joinCode,
          publicKey,
          machineId,
          name,
          os,
          arch: arch(),
          slots,
          labels,
          versions: versionsWith(browsers),
        },
        { signal },
      )
    } catch (error) {
      if (!isPassing(error)) throw refusal(error)
      const waitMs = backoff.delayMs(error)
      logger.warn('Cannot join yet.', { error: describeError(error), waitMs: Math.round(waitMs) })
      await pause(waitMs, signal)
      signal.throwIfAborted()
    }
  }
}

function refusal(error: unknown): unknown {
  if (!(error instanceof CallError)) return error
  if (error.code === 'agent.wrong_code')
    return new AgentExit(
      EXIT.refused,
      'The join code is wrong, used or too old. Make a new one in the console.',
    )
  return new AgentExit(EXIT.refused, `The server refused to let this agent join: ${error.message}`)
}
