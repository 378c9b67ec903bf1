import type { Bulk } from '@weft/contract/bulks/schema'
import { TAB_STORAGE, readOfTab, writeOfTab } from '../../../lib/storage.ts'

/** The bulk action on this list's records that this tab has under way, also after a reload. */
export function runningBulk(feature: string): string | null {
  return readOfTab(TAB_STORAGE.bulk + feature)
}

/** Remembers in this tab what goes on in the background, so that it is found again after a reload. */
export function rememberBulk(feature: string, { id, state }: Pick<Bulk, 'id' | 'state'>): void {
  if (state === 'running') writeOfTab(TAB_STORAGE.bulk + feature, id)
  else forgetBulk(feature, id)
}

/** Forgets one that has ended or cannot be read any more; another that began since stays. */
export function forgetBulk(feature: string, id: string): void {
  if (runningBulk(feature) === id) writeOfTab(TAB_STORAGE.bulk + feature, null)
}
