import { viewing } from '@weft/contract/viewing/api'
import { call } from '../../lib/api.ts'
import { refresh } from '../../lib/session/session.ts'

/** Looks at the console as somebody, from its first page on; asks for a proof by itself. */
export async function startViewing(id: string, reason: string): Promise<void> {
  await call(viewing.start, { id, reason })
  await beginAnew()
}

/** Is oneself again, from the first page on. */
export async function stopViewing(): Promise<void> {
  await call(viewing.stop, {})
  await beginAnew()
}

/** A new token brings the other person along, here and in the other tabs; nothing that was read for one stays for the other. */
async function beginAnew(): Promise<void> {
  await refresh()
  location.assign('/')
}
