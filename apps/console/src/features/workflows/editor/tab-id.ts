import { randomKey } from '../../../lib/id.ts'

const KEY = 'Weft::Tab'

/** The id of this tab; it survives a reload, not the closing of the tab. */
export function readTabId(): string {
  try {
    const known = sessionStorage.getItem(KEY)
    return known ?? newTabId()
  } catch {
    return randomKey()
  }
}

/** Another id for this tab: a duplicated tab comes with a copy of its origin's. */
export function newTabId(): string {
  const id = randomKey().slice(0, 12)
  try {
    sessionStorage.setItem(KEY, id)
  } catch {
    // Without storage the id holds as long as the page.
  }
  return id
}
