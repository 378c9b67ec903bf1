import { open, readFile } from 'node:fs/promises'
import { isDeepStrictEqual, promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { BrowserContext } from 'playwright-core'
import { StepError } from '@weft/workflow/errors'
import { z } from 'zod'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

const MAX_UNPACKED = 512 * 1024 * 1024

/*
 * A profile is kept as what sites have stored in it (cookies, local storage, IndexedDB), not as a browser's own folder:
 * it fits every browser and machine, keeps cookies that last only for a session, and is small. Browsers encrypt the
 * cookies in their folders with keys of one machine, so such a folder could not move anyway.
 */
const envelopeSchema = z.object({
  format: z.literal('weft-profile'),
  version: z.literal(1),
  savedAt: z.string(),
  storageState: z.looseObject({ cookies: z.array(z.looseObject({})), origins: z.array(z.looseObject({})) }),
})

/** What sites have stored in a context. */
export async function captureProfile(context: BrowserContext): Promise<StorageState> {
  return context.storageState({ indexedDB: true })
}

/** Whether sites have stored nothing at all. */
export function isEmptyProfile({ cookies, origins }: StorageState): boolean {
  return cookies.length === 0 && origins.length === 0
}

/**
 * When a session ends for sure: when the last of its cookies that pages cannot read is gone, which is how sites keep who is
 * signed in. Null where one of them has no end of its own, or there is none.
 */
export function endOfSession({ cookies }: StorageState): string | null {
  const ends = cookies.filter(({ httpOnly }) => httpOnly).map(({ expires }) => expires)
  const last = Math.max(0, ...ends)
  if (last === 0 || ends.some((end) => end <= 0)) return null
  return new Date(last * 1000).toISOString()
}

/** Writes a profile to disk, waits until it is there, and reads it back: only what proved to be whole counts. */
export async function packProfile(path: string, storageState: StorageState): Promise<void> {
  const envelope = { format: 'weft-profile', version: 1, savedAt: new Date().toISOString(), storageState }
  const bytes = await pack(JSON.stringify(envelope))
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  const back = await unpackProfile(path)
  // Through JSON as it went in: what is undefined does not come back.
  if (!isDeepStrictEqual(back, JSON.parse(JSON.stringify(storageState))))
    throw new StepError('Internal', 'The saved profile is not what was in the browser.')
}

/** Reads a packed profile. */
export async function unpackProfile(path: string): Promise<StorageState> {
  try {
    const bytes = await unpack(await readFile(path), { maxOutputLength: MAX_UNPACKED })
    const { storageState } = envelopeSchema.parse(JSON.parse(bytes.toString('utf8')))
    // The cookies and entries inside are Playwright's own, and it checks them when the context opens.
    return storageState as unknown as StorageState
  } catch (cause) {
    throw new StepError('ResourceMissing', 'The saved profile cannot be read.', { cause })
  }
}
