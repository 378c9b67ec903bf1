import type { MenuEntry, MenuLeaf, MenuTree } from '@weft/contract/routes/schema'
import type { OwnTitle, RouteNode } from '@weft/contract/system/schema'
import { isArranged } from './shipped.ts'

/**
 * Puts the routes that a visitor may see into the order of a menu. What they may not see is left out first and comes back
 * by no arrangement: a menu hides and moves, it never grants.
 */
export function arrange(visible: readonly RouteNode[], tree: MenuTree): RouteNode[] {
  const nodes = new Map(allNodes(visible).map((node) => [node.path, node]))
  const leaf = (entry: MenuLeaf): RouteNode[] => {
    if (entry.kind === 'link') return [linkNode(entry)]
    const node = nodes.get(entry.path)
    return node ? [dressed(node, entry)] : []
  }
  const top = (entry: MenuEntry): RouteNode[] => {
    if (entry.kind === 'group') return groupNode(entry, entry.children.flatMap(leaf))
    if (entry.kind === 'link' || !entry.children) return leaf(entry)
    const node = nodes.get(entry.path)
    const children = entry.children.flatMap(leaf)
    // Who may see nothing of a group but what was moved into it sees that by itself.
    if (!node) return children
    const own = (node.children ?? []).filter((child) => !isArranged(child))
    const hidden = entry.hidden === true || children.every((child) => child.hidden)
    return [{ ...dressed(node, entry), ...(hidden ? { hidden } : {}), children: [...children, ...own] }]
  }
  return [...tree.flatMap(top), ...visible.filter((node) => !isArranged(node))]
}

function allNodes(nodes: readonly RouteNode[]): RouteNode[] {
  return nodes.flatMap((node) => [node, ...allNodes(node.children ?? [])])
}

type Dress = Pick<MenuLeaf, 'titles' | 'icon' | 'hidden'>

/** A shipped node with words, icon and sight of the installation's own; its rights are its own in any case. */
function dressed({ children: _children, ...node }: RouteNode, { titles, icon, hidden }: Dress): RouteNode {
  const meta = { ...node.meta }
  if (titles && Object.keys(titles).length > 0) meta.title = titleOf(titles, node.meta.title)
  if (icon) meta.icon = icon
  return { ...node, meta, ...(hidden ? { hidden } : {}) }
}

function titleOf(titles: OwnTitle, shipped: string | OwnTitle | undefined): OwnTitle {
  return { ...titles, ...(typeof shipped === 'string' ? { key: shipped } : {}) }
}

function linkNode({ id, titles, icon, hidden, url }: Extract<MenuLeaf, { kind: 'link' }>): RouteNode {
  const name = `/link/${id}`
  const meta = { title: titles, icon: icon ?? 'link' }
  return { name, path: name, link: url, meta, ...(hidden ? { hidden } : {}) }
}

function groupNode(
  { id, titles, icon, hidden }: Extract<MenuEntry, { kind: 'group' }>,
  children: RouteNode[],
): RouteNode[] {
  if (children.length === 0) return []
  const name = `/group/${id}`
  const [first] = children.filter((child) => !child.hidden && !child.link)
  return [
    {
      name,
      path: name,
      ...(first ? { redirect: first.redirect ?? first.path } : {}),
      ...(hidden ? { hidden } : {}),
      meta: { title: titles, icon: icon ?? 'folder' },
      children,
    },
  ]
}
