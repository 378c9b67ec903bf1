import { loadConfig } from '../../lib/config.ts'
import { STORAGE, readStored, writeStored } from '../../lib/storage.ts'
import { safeNextUrl } from '../../lib/navigation/next-url.ts'
import { loadWorkbench } from '../boot.ts'

/** After a sign-in: loads what a signed-in person needs, and says where to go. */
export async function enter(nextUrl: string | null): Promise<string> {
  await Promise.all([loadConfig(), loadWorkbench()])
  const kept = readStored(STORAGE.returnPath)
  writeStored(STORAGE.returnPath, null)
  return safeNextUrl(nextUrl, location.origin) ?? safeNextUrl(kept, location.origin) ?? '/'
}

/** Keeps where to come back to while the person is away at the sign-in. */
export function keepReturnPath(nextUrl: string | null): void {
  writeStored(STORAGE.returnPath, safeNextUrl(nextUrl, location.origin))
}
