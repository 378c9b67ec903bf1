import { TAB_STORAGE, readOfTab, writeOfTab } from '../../lib/storage.ts'

/** The import into a kind of records that this tab has under way, also after a reload. */
export function runningImport(feature: string): string | null {
  return readOfTab(TAB_STORAGE.import + feature)
}

/** Keeps which import is under way; null when none is. */
export function keepRunningImport(feature: string, id: string | null): void {
  writeOfTab(TAB_STORAGE.import + feature, id)
}
