import type { MenuEntry, MenuTree, ShippedPage } from '@weft/contract/routes/schema'
import type { RouteNode } from '@weft/contract/system/schema'

/** The page by which all this is changed back; nobody may hide it. */
const FIXED = new Set(['/cms/config/system'])

/** Whether a shipped node stands in the menu. Sign-in, error and record pages do not, and so cannot be arranged. */
export function isArranged({ hidden, meta }: RouteNode): boolean {
  return !hidden && meta.title !== undefined && meta.layout !== 'blank'
}

/** The shipped nodes of the menu, groups before their pages. */
export function shippedPages(nodes: readonly RouteNode[], parent: RouteNode | null = null): ShippedPage[] {
  return nodes.filter(isArranged).flatMap((node) => {
    const { title, icon, resource, action = 'VIEW' } = node.meta
    const page: ShippedPage = {
      path: node.path,
      title: typeof title === 'string' ? title : node.path,
      icon: icon ?? null,
      parent: parent?.path ?? null,
      isGroup: node.children !== undefined,
      fixed: FIXED.has(node.path) || (node.children ?? []).some(({ path }) => FIXED.has(path)),
      right: resource ? { action, subject: resource } : null,
    }
    return [page, ...shippedPages(node.children ?? [], node)]
  })
}

/** The menu as it is shipped. */
export function shippedTree(nodes: readonly RouteNode[]): MenuTree {
  return nodes.filter(isArranged).map((node): MenuEntry => {
    const entry = { kind: 'page' as const, path: node.path }
    if (!node.children) return entry
    const children = node.children.filter(isArranged).map(({ path }) => ({ kind: 'page' as const, path }))
    return { ...entry, children }
  })
}

/**
 * A stored menu with the pages that the program has now: those it has no more are gone, those that came with an upgrade
 * stand in their shipped group, at its end, or at the end of all.
 */
export function mergedTree(stored: MenuTree, nodes: readonly RouteNode[]): MenuTree {
  const pages = new Map(shippedPages(nodes).map((page) => [page.path, page]))
  const seen = new Set<string>()
  const isThere = (entry: { kind: string; path?: string }) => {
    if (entry.kind !== 'page') return true
    if (entry.path === undefined || !pages.has(entry.path)) return false
    seen.add(entry.path)
    return true
  }
  const tree = stored.filter(isThere).map((entry): MenuEntry => {
    if (entry.kind === 'link' || !entry.children) return entry
    return { ...entry, children: entry.children.filter(isThere) }
  })
  for (const { path, parent, isGroup } of pages.values()) {
    if (seen.has(path)) continue
    const at = tree.findIndex((entry) => entry.kind === 'page' && entry.path === parent)
    const group = tree[at]
    if (parent !== null && group?.kind === 'page')
      tree[at] = { ...group, children: [...(group.children ?? []), { kind: 'page', path }] }
    else tree.push({ kind: 'page', path, ...(isGroup ? { children: [] } : {}) })
  }
  return tree
}
