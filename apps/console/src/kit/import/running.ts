import { TAB_STORAGE } from '../../lib/storage.ts'

/** The import into a kind of records that this tab has under way, also after a reload. */
export function runningImport(feature: string): string | null {
  try {
    return sessionStorage.getItem(TAB_STORAGE.import + feature)
  } catch {
    return null
  }
}

/** Keeps which import is under way; null when none is. */
export function keepRunningImport(feature: string, id: string | null): void {
  try {
    if (id === null) sessionStorage.removeItem(TAB_STORAGE.import + feature)
    else sessionStorage.setItem(TAB_STORAGE.import + feature, id)
  } catch {
    // No storage: it is found among the recent imports.
  }
}
