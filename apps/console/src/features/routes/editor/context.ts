import type { ComponentType } from 'react'
import type { MenuEntry, MenuLeaf, ShippedPage } from '@weft/contract/routes/schema'
import type { OwnTitle } from '@weft/contract/system/schema'

/** What the console's frame lends the editor: how it writes titles and draws icons. */
export interface Look {
  titleText: (title: string | OwnTitle | undefined) => string | undefined
  Icon: ComponentType<{ name: string | undefined; size?: number }>
}

/** Shipped pages by their paths. */
export type Pages = ReadonlyMap<string, ShippedPage>

/** What an entry is called in the reader's language. */
export function nameOf(entry: MenuEntry | MenuLeaf, pages: Pages, { titleText }: Look): string {
  const key = entry.kind === 'page' ? pages.get(entry.path)?.title : undefined
  const words = titleText({ ...entry.titles, ...(key ? { key } : {}) })
  return words ?? (entry.kind === 'page' ? entry.path : '')
}

/** The icon that an entry has: its own, the shipped one, or that of its kind. */
export function iconOf(entry: MenuEntry | MenuLeaf, pages: Pages): string | undefined {
  if (entry.icon) return entry.icon
  if (entry.kind === 'page') return pages.get(entry.path)?.icon ?? undefined
  return entry.kind === 'group' ? 'folder' : 'link'
}
