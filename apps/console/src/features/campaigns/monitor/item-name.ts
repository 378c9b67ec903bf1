import type { Item } from '@weft/contract/campaigns/schema'

/** The resource an item is about: the first of what it binds. */
export function subjectOf(item: Pick<Item, 'account' | 'profile' | 'phone' | 'video'>) {
  return item.account ?? item.profile ?? item.phone ?? item.video
}

/** What an item is called: its number and what it is about. */
export function itemName(item: Pick<Item, 'seq' | 'account' | 'profile' | 'phone' | 'video'>): string {
  const subject = subjectOf(item)
  return subject ? `#${item.seq} ${subject.name}` : `#${item.seq}`
}
