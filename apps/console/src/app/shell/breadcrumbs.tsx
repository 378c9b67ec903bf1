import { IconChevronRight } from '@tabler/icons-react'
import type { RouteNode } from '@weft/contract/system/schema'
import { useSyncExternalStore } from 'react'
import { Link, useLocation } from 'react-router'
import { config } from '../../lib/config.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import { pageName } from '../../kit/page/page-name.ts'
import { titleText } from '../title.ts'
import classes from './breadcrumbs.module.css'

/** The nodes from the outermost to the one whose path a page is at or under. */
export function trailOf(nodes: readonly RouteNode[], pathname: string): RouteNode[] {
  let best: RouteNode[] = []
  const walk = (list: readonly RouteNode[], above: readonly RouteNode[]) => {
    for (const node of list) {
      const trail = [...above, node]
      const here = node.path !== '/' && (pathname === node.path || pathname.startsWith(`${node.path}/`))
      if (here && node.path.length >= (best.at(-1)?.path.length ?? 0)) best = trail
      walk(node.children ?? [], trail)
    }
  }
  walk(nodes, [])
  return best
}

/** Where the page is; not shown where that is nowhere in particular. */
export function Breadcrumbs() {
  const t = useAppText()
  const { routes } = useSyncExternalStore(config.subscribe, config.get)
  const shown = useSyncExternalStore(pageName.subscribe, pageName.get)
  const { pathname } = useLocation()
  const trail = trailOf(routes, pathname).filter(({ meta }) => meta.title)
  const last = trail.at(-1)
  if (!last) return null
  const onNode = pathname === last.path
  const crumbs = trail.map((node) => ({
    words: titleText(node.meta.title) ?? '',
    to: node.redirect ?? node.path,
    linked: !node.hidden,
  }))
  // A form in a drawer over a list has its own name; other drawers leave the list's in place.
  if (!onNode && shown && shown !== crumbs.at(-1)?.words)
    crumbs.push({ words: shown, to: pathname, linked: false })
  if (crumbs.length < 2) return null
  return (
    <nav aria-label={t('nav.breadcrumbs')}>
      <ol className={classes.crumbs}>
        {crumbs.map(({ words, to, linked }, at) => (
          <li key={`${to}${at}`}>
            {at > 0 && <IconChevronRight size={13} className="flip-rtl" aria-hidden />}
            {at < crumbs.length - 1 && linked ? (
              <Link to={to}>{words}</Link>
            ) : (
              <span aria-current={at === crumbs.length - 1 ? 'page' : undefined}>
                <bdi>{words}</bdi>
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
