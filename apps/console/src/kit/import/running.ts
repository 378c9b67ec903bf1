const KEY = 'weft.import.'

/** The import into a kind of records that this tab has under way, also after a reload. */
export function runningImport(feature: string): string | null {
  try {
    return sessionStorage.getItem(KEY + feature)
  } catch {
    return null
  }
}

/** Keeps which import is under way; null when none is. */
export function keepRunningImport(feature: string, id: string | null): void {
  try {
    if (id === null) sessionStorage.removeItem(KEY + feature)
    else sessionStorage.setItem(KEY + feature, id)
  } catch {
    // No storage: it is found among the recent imports.
  }
}
