import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that Linux gives to outgoing connections: one of those could take it before its program listens. */
const FIRST = 20_000
const LAST = 32_000

/** A port of this machine that nobody uses now, for a program that is told its port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    // Somebody listens there.
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
