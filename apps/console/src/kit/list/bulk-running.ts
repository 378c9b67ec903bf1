/** The bulk action on this list's records that was under way when the tab was last loaded. */
export function runningBulk(feature: string): string | null {
  try {
    return sessionStorage.getItem(`weft.bulk.${feature}`)
  } catch {
    return null
  }
}
