import type { Bulk } from '@weft/contract/bulks/schema'
import { TAB_STORAGE } from '../../../lib/storage.ts'

/** The bulk action on this list's records that this tab has under way, also after a reload. */
export function runningBulk(feature: string): string | null {
  try {
    return sessionStorage.getItem(TAB_STORAGE.bulk + feature)
  } catch {
    return null
  }
}

/** Remembers in this tab what goes on in the background, so that it is found again after a reload. */
export function rememberBulk(feature: string, { id, state }: Pick<Bulk, 'id' | 'state'>): void {
  if (state !== 'running') return forgetBulk(feature, id)
  try {
    sessionStorage.setItem(TAB_STORAGE.bulk + feature, id)
  } catch {
    // No storage: it goes on all the same, and is told when it ends.
  }
}

/** Forgets one that has ended or cannot be read any more; another that began since stays. */
export function forgetBulk(feature: string, id: string): void {
  if (runningBulk(feature) !== id) return
  // It could be read, so it can be removed.
  sessionStorage.removeItem(TAB_STORAGE.bulk + feature)
}
