import { bulks } from '@weft/contract/bulks/api'
import type { Bulk } from '@weft/contract/bulks/schema'
import { call } from '../../../lib/api.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { invalidateFeatures } from '../../../lib/query.ts'
import { toast } from '../../toast/toast.ts'
import type { ListHandle } from '../handle.ts'
import { rememberBulk } from './running.ts'

/** What came of it, with the way back where there is one. */
export function bulkToast(list: ListHandle, bulk: Bulk): void {
  const words = text(`kit/list:bulk.done.${bulk.action}`, { count: bulk.done })
  const undo = { label: text('kit:toasts.undo'), run: () => void undoBulk(list, bulk) }
  toast.success(words, bulk.can.includes('undo') ? undo : undefined)
}

/** Takes it back, and says what came of that. */
export async function undoBulk(list: ListHandle, bulk: Bulk): Promise<void> {
  try {
    const undone = await call(bulks.undo, { id: bulk.id })
    rememberBulk(list.feature, undone)
    if (undone.state === 'running' || undone.refusedTotal > 0) list.show({ kind: 'bulk', id: undone.id })
    if (undone.state !== 'running') toast.success(text('kit/list:bulk.done.undo', { count: undone.done }))
  } catch (error) {
    toast.failure(error)
  } finally {
    void invalidateFeatures([list.feature, 'bulks']).then(list.showWaiting)
  }
}
