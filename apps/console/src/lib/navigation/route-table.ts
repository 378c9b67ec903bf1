import type { RouteMeta, RouteNode } from '@weft/contract/system/schema'

/** A route of the console: what the server's list and the page files give together. */
export interface PageRoute {
  /** Path pattern, as `/cms/resource/accounts/:id`. */
  path: string
  /** The server's node that it belongs to. */
  node: RouteNode
  /** Metas of all matched nodes, outermost first. */
  chain: readonly RouteMeta[]
  /** The page file, or where a redirect leads. */
  file?: string
  redirect?: string
  /** Sub-pages that are shown inside this one. */
  inside: readonly { path: string; file: string }[]
}

/** A file's name without its folder `pages` and its ending. */
export function pageName(globPath: string): string {
  return globPath.replace(/^.*\/pages\//, '').replace(/\.tsx$/, '')
}

/** A page file's name as a path: `$id` is a parameter, `index` the folder itself. */
export function filePath(name: string): string {
  return name
    .split('/')
    .filter((part) => part !== 'index')
    .map((part) => (part.startsWith('$') ? `:${part.slice(1)}` : part))
    .join('/')
}

function isTest(name: string): boolean {
  return /\.(test|it\.test)$/.test(name)
}

/**
 * Builds the routes out of the server's list and the page files. A node without a page file that exists is left out;
 * page files below a node's that no other node names are its sub-pages.
 */
export function buildRoutes(nodes: readonly RouteNode[], files: readonly string[]): PageRoute[] {
  const names = files.filter((name) => !isTest(name))
  const claimed = new Set(allNodes(nodes).flatMap(({ file }) => (file ? [file, `${file}/index`] : [])))
  const build = (node: RouteNode, outer: readonly RouteMeta[]): PageRoute[] => {
    const chain = [...outer, node.meta]
    const own: PageRoute[] = []
    const { file } = node
    if (file) own.push(...pagesOf(node, file, chain, names, claimed))
    if (node.redirect && own.length === 0)
      own.push({ path: node.path, node, chain, redirect: node.redirect, inside: [] })
    return [...own, ...(node.children ?? []).flatMap((child) => build(child, chain))]
  }
  return nodes.flatMap((node) => build(node, []))
}

function pagesOf(
  node: RouteNode,
  file: string,
  chain: readonly RouteMeta[],
  names: readonly string[],
  claimed: ReadonlySet<string>,
): PageRoute[] {
  const below = names.filter((name) => name.startsWith(`${file}/`) && !claimed.has(name))
  const relative = (name: string) => filePath(name.slice(file.length + 1))
  if (names.includes(file)) {
    const inside = below.map((name) => ({ path: relative(name), file: name }))
    return [{ path: node.path, node, chain, file, inside }]
  }
  const routes: PageRoute[] = below.map((name) => ({
    path: `${node.path}/${relative(name)}`,
    node,
    chain,
    file: name,
    inside: [],
  }))
  if (names.includes(`${file}/index`))
    routes.unshift({ path: node.path, node, chain, file: `${file}/index`, inside: [] })
  return routes
}

/** All nodes of the list, parents before children. */
export function allNodes(nodes: readonly RouteNode[]): RouteNode[] {
  return nodes.flatMap((node) => [node, ...allNodes(node.children ?? [])])
}

/** Whether a path leads to a page that is shipped but not in this person's list: forbidden rather than unknown. */
export function isShippedPage(pathname: string, files: readonly string[]): boolean {
  const parts = pathname.split('/').filter(Boolean)
  return files.some((name) => {
    if (isTest(name)) return false
    const pattern = filePath(name).split('/')
    return (
      pattern.length === parts.length &&
      pattern.every((part, at) => part.startsWith(':') || part === parts[at])
    )
  })
}
