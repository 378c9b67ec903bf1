import type { OwnTitle, RouteNode } from '@weft/contract/system/schema'
import type { GuardInput } from './guard.ts'

/** An entry of the navigation. */
export interface MenuItem {
  name: string
  /** Translation key of its words, or words of the installation's own. */
  title: string | OwnTitle
  icon: string | undefined
  /** Where it leads; a group with several entries has none. */
  to: string | undefined
  /** Where it leads out of the console. */
  link?: string
  group: string | undefined
  children: MenuItem[]
}

/**
 * The navigation out of the route list: an entry is there when its action on its resource is allowed, a group when any
 * of its children is. A group of one is that one.
 */
export function buildMenu(nodes: readonly RouteNode[], can: GuardInput['can']): MenuItem[] {
  return [...nodes]
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .flatMap((node): MenuItem[] => {
      const { title, icon, resource, action = 'VIEW', layout } = node.meta
      if (node.hidden || !title || layout === 'blank') return []
      const children = buildMenu(node.children ?? [], can)
      const base = { name: node.name, title, icon, group: node.group }
      if (node.children?.length) {
        const [only] = children
        if (!only) return []
        if (children.length === 1)
          return [{ ...base, to: only.to, ...(only.link ? { link: only.link } : {}), children: [] }]
        return [{ ...base, to: undefined, children }]
      }
      if (node.link) return [{ ...base, to: undefined, link: node.link, children: [] }]
      if (!node.file && !node.redirect) return []
      if (resource && !can(action, resource)) return []
      return [{ ...base, to: node.path, children: [] }]
    })
}

/** Whether an entry, or one below it, is where we are. */
export function isActive(item: MenuItem, pathname: string): boolean {
  if (item.to && (pathname === item.to || pathname.startsWith(`${item.to}/`))) return true
  if (item.children.some((child) => isActive(child, pathname))) return true
  // Pages that are in no menu, such as a record's, belong to the group whose path they are under.
  return item.name !== '/' && pathname.startsWith(`${item.name}/`)
}
