import type { Bulk } from '@weft/contract/bulks/schema'

const KEY = 'weft.bulk'

/** Remembers in this tab what goes on in the background, so that it is found again after a reload. */
export function rememberBulk(feature: string, bulk: Pick<Bulk, 'id' | 'state'>): void {
  try {
    if (bulk.state === 'running') sessionStorage.setItem(`${KEY}.${feature}`, bulk.id)
    else if (sessionStorage.getItem(`${KEY}.${feature}`) === bulk.id)
      sessionStorage.removeItem(`${KEY}.${feature}`)
  } catch {
    // No storage: it goes on all the same, and is told when it ends.
  }
}
