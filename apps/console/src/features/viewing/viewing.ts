import { viewing } from '@weft/contract/viewing/api'
import { call } from '../../lib/api.ts'

/** Looks at the console as somebody, from its first page on; asks for a proof by itself. */
export async function startViewing(id: string, reason: string): Promise<void> {
  await call(viewing.start, { id, reason })
  beginAnew()
}

/** Is oneself again, from the first page on. */
export async function stopViewing(): Promise<void> {
  await call(viewing.stop, {})
  beginAnew()
}

/** Nothing that was read for one stays for the other; the other tabs of this session notice who is there now. */
function beginAnew(): void {
  location.assign('/')
}
