import { notifications } from '@weft/contract/notifications/api'
import { NOTIFICATION_KINDS } from '@weft/contract/notifications/schema'
import { toast } from '../../kit/toast/toast.ts'
import { call } from '../../lib/api.ts'
import { wordsOf } from './words.ts'

/** Many at once, as after a night, are in the centre; one toast says that something came. */
const QUIET_MS = 3000
let quietUntil = 0

/** Says the newest unread notification in a toast; it stays in the centre until it is read there. */
export async function announce(): Promise<void> {
  if (Date.now() < quietUntil) return
  quietUntil = Date.now() + QUIET_MS
  try {
    const { data } = await call(notifications.list, { unread: true, perPage: 1 })
    const [newest] = data
    if (newest) toast[NOTIFICATION_KINDS[newest.kind].tone](wordsOf(newest).title)
  } catch (error) {
    // It is in the centre all the same.
    console.warn('The newest notification could not be read.', error)
  }
}
