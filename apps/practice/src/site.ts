import { setTimeout as sleep } from 'node:timers/promises'
import { buildSite } from './app.ts'
import type { SiteLog } from './http/errors.ts'
import { openStore, type Store } from './store/store.ts'

/** Where the practice site listens and keeps its things. */
export interface PracticeOptions {
  /** 127.0.0.1 unless given: the site has public passwords and is not for an open network. */
  host?: string
  /** 0 picks a free port. */
  port: number
  /** The site makes a folder `practice` in it. */
  dataDir: string
  log?: SiteLog
}

/** A practice site that is up. */
export interface Practice {
  url: string
  store: Store
  close: () => Promise<void>
}

const CLOSE_GRACE_MS = 3000

/** Starts the practice site; it answers when the promise resolves. */
export async function startPractice(options: PracticeOptions): Promise<Practice> {
  const { host = '127.0.0.1', port, dataDir, log = () => undefined } = options
  const store = await openStore(dataDir)
  const closing = new AbortController()
  const app = await buildSite({ store, closing: closing.signal }, log).catch(async (error: unknown) => {
    await store.close()
    throw error
  })

  const close = async (): Promise<void> => {
    closing.abort()
    const closed = app.close()
    const inTime = await Promise.race([closed.then(() => true), sleep(CLOSE_GRACE_MS, false, { ref: false })])
    if (!inTime) app.server.closeAllConnections()
    await closed
    await store.close()
  }

  try {
    const address = await app.listen({ host, port })
    // A page is opened by an address, not by "every interface".
    const url = address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '[::1]')
    return { url, store, close }
  } catch (error) {
    await close()
    throw error
  }
}
