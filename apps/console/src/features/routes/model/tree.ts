import type { MenuEntry, MenuLeaf, MenuTree } from '@weft/contract/routes/schema'

/** A line of the editor: an entry with its place. */
export interface Row {
  key: string
  entry: MenuEntry | MenuLeaf
  /** The group that it is in. */
  parent: string | null
  /** Its place among its siblings, from 0, and how many they are. */
  index: number
  count: number
}

/** Where something is put: before the entry at `index` of a group, or of the top. */
export interface Place {
  parent: string | null
  index: number
}

/** What an entry is known by. */
export function keyOf(entry: MenuEntry | MenuLeaf): string {
  return entry.kind === 'page' ? entry.path : entry.id
}

/** The entries of a group; undefined for what is none. */
export function childrenOf(entry: MenuEntry | MenuLeaf): readonly MenuLeaf[] | undefined {
  return 'children' in entry ? entry.children : undefined
}

/** The lines from top to bottom. */
export function rowsOf(tree: MenuTree): Row[] {
  return tree.flatMap((entry, index): Row[] => {
    const key = keyOf(entry)
    const children = childrenOf(entry) ?? []
    return [
      { key, entry, parent: null, index, count: tree.length },
      ...children.map((leaf, at) => ({
        key: keyOf(leaf),
        entry: leaf,
        parent: key,
        index: at,
        count: children.length,
      })),
    ]
  })
}

/** The line of a key. */
export function rowOf(tree: MenuTree, key: string): Row | undefined {
  return rowsOf(tree).find((row) => row.key === key)
}

function withChildren(
  tree: MenuTree,
  parent: string,
  change: (old: readonly MenuLeaf[]) => MenuLeaf[],
): MenuTree {
  return tree.map((entry): MenuEntry => {
    if (keyOf(entry) !== parent || entry.kind === 'link') return entry
    return { ...entry, children: change(entry.children ?? []) }
  })
}

function without(tree: MenuTree, key: string): MenuTree {
  return tree
    .filter((entry) => keyOf(entry) !== key)
    .map((entry): MenuEntry => {
      if (entry.kind === 'link' || !entry.children) return entry
      return { ...entry, children: entry.children.filter((leaf) => keyOf(leaf) !== key) }
    })
}

/** Puts an entry somewhere else; what cannot be there stays where it is. The index is that before it was taken away. */
export function put(tree: MenuTree, key: string, place: Place): MenuTree {
  const row = rowOf(tree, key)
  if (!row || place.parent === key) return tree
  const { entry } = row
  const after = row.parent === place.parent && row.index < place.index ? place.index - 1 : place.index
  const rest = without(tree, key)
  if (place.parent === null) return rest.toSpliced(after, 0, entry)
  // Groups stand at the top only.
  if (!isLeaf(entry)) return tree
  const { parent } = place
  if (!rest.some((other) => keyOf(other) === parent && childrenOf(other))) return tree
  return withChildren(rest, parent, (old) => old.toSpliced(after, 0, entry))
}

function isLeaf(entry: MenuEntry | MenuLeaf): entry is MenuLeaf {
  return entry.kind !== 'group' && childrenOf(entry) === undefined
}

/** One up or down among its siblings. */
export function shift(tree: MenuTree, key: string, by: -1 | 1): MenuTree {
  const row = rowOf(tree, key)
  if (!row) return tree
  const index = row.index + by
  if (index < 0 || index >= row.count) return tree
  return put(tree, key, { parent: row.parent, index: by > 0 ? index + 1 : index })
}

/** Into the group before it, as its last. */
export function indent(tree: MenuTree, key: string): MenuTree {
  const row = rowOf(tree, key)
  if (row?.parent !== null) return tree
  const group = tree.slice(0, row.index).findLast((entry) => childrenOf(entry))
  if (!group) return tree
  return put(tree, key, { parent: keyOf(group), index: childrenOf(group)?.length ?? 0 })
}

/** Out of its group, to stand right after it. */
export function outdent(tree: MenuTree, key: string): MenuTree {
  const row = rowOf(tree, key)
  if (!row || row.parent === null) return tree
  const at = tree.findIndex((entry) => keyOf(entry) === row.parent)
  return put(tree, key, { parent: null, index: at + 1 })
}

/** What an entry may be given: words, icon, sight, and of a link where it leads. */
export interface Dress {
  titles?: { en?: string | undefined; fr?: string | undefined; ar?: string | undefined }
  icon?: MenuLeaf['icon']
  hidden?: boolean
  url?: string
}

/** Gives an entry words, an icon, sight, or an address. */
export function dress(tree: MenuTree, key: string, change: Dress): MenuTree {
  const { url, titles, ...common } = change
  const one = <E extends MenuEntry | MenuLeaf>(entry: E): E => {
    if (keyOf(entry) !== key) return entry
    return {
      ...entry,
      ...common,
      ...(titles ? { titles } : {}),
      ...(url !== undefined && entry.kind === 'link' ? { url } : {}),
    }
  }
  return tree.map((entry): MenuEntry => {
    const dressed = one(entry)
    if (dressed.kind === 'link' || !dressed.children) return dressed
    return { ...dressed, children: dressed.children.map(one) }
  })
}

/** Takes away a group or a link of one's own; what the group held stands in its place. Shipped pages stay. */
export function remove(tree: MenuTree, key: string): MenuTree {
  const row = rowOf(tree, key)
  if (!row || row.entry.kind === 'page') return tree
  const inside = childrenOf(row.entry) ?? []
  const rest = without(tree, key)
  return row.parent === null ? rest.toSpliced(row.index, 0, ...inside) : rest
}

/** A new group or link at the end of the top. */
export function add(tree: MenuTree, entry: MenuEntry): MenuTree {
  return [...tree, entry]
}

/** A tree without what says nothing: empty words, and sight that is as usual. */
export function tidy(tree: MenuTree): MenuTree {
  return tree.map((entry): MenuEntry => {
    const { kind } = entry
    if (kind === 'link') return tidyLeaf(entry)
    const children = entry.children?.map(tidyLeaf)
    if (kind === 'group')
      return { kind, id: entry.id, titles: wordsOf(entry), ...lookOf(entry), children: children ?? [] }
    return { ...tidyPage(entry), ...(children ? { children } : {}) }
  })
}

type PageEntry = Extract<MenuLeaf, { kind: 'page' }>

function tidyLeaf(leaf: MenuLeaf): MenuLeaf {
  const { kind } = leaf
  if (kind === 'page') return tidyPage(leaf)
  return { kind, id: leaf.id, titles: wordsOf(leaf), ...lookOf(leaf), url: leaf.url }
}

function tidyPage(entry: PageEntry): PageEntry {
  const titles = wordsOf(entry)
  const own = Object.keys(titles).length > 0 ? { titles } : {}
  return { kind: 'page', path: entry.path, ...own, ...lookOf(entry) }
}

/** The words that are there. */
function wordsOf({ titles = {} }: Pick<MenuLeaf, 'titles'>): NonNullable<MenuLeaf['titles']> {
  return Object.fromEntries(
    Object.entries(titles).filter(([, text]) => text !== undefined && text.trim() !== ''),
  )
}

/** Icon and sight, where they are other than usual. */
function lookOf({ icon, hidden }: Pick<MenuLeaf, 'icon' | 'hidden'>): Pick<MenuLeaf, 'icon' | 'hidden'> {
  return { ...(icon ? { icon } : {}), ...(hidden ? { hidden } : {}) }
}
