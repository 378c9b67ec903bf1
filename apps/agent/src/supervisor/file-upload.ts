import { open, stat } from 'node:fs/promises'
import type { AgentApi } from '../connection/api.ts'
import { Backoff, isPassing, pause } from '../connection/backoff.ts'
import { hashFile } from './journal.ts'

const PART_BYTES = 2 * 1024 * 1024

/** Brings a file to the server under the hash of its content, going on where an earlier try ended. */
export async function uploadFile(
  api: AgentApi,
  path: string,
  signal: AbortSignal,
): Promise<{ sha256: string; size: number }> {
  const { size } = await stat(path)
  const sha256 = await hashFile(path)
  const file = await open(path, 'r')
  const backoff = new Backoff()
  try {
    let offset = 0
    for (;;) {
      signal.throwIfAborted()
      const part = new Uint8Array(Math.min(PART_BYTES, size - offset))
      await file.read(part, 0, part.length, offset)
      try {
        const answer = await api.upload({ sha256, offset, size }, { body: part, signal, timeoutMs: 60_000 })
        if (answer.complete) return { sha256, size }
        if (answer.received > size) throw new Error('The server counts more bytes than the file has.')
        offset = answer.received
        backoff.reset()
      } catch (error) {
        if (!isPassing(error)) throw error
        await pause(backoff.delayMs(error), signal)
      }
    }
  } finally {
    await file.close()
  }
}
