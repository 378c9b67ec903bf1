import { ActionIcon, UnstyledButton } from '@mantine/core'
import {
  IconChevronDown,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'react-router'
import { useAppText } from '../../lib/i18n/texts.ts'
import { isActive, type MenuItem } from '../../lib/navigation/menu.ts'
import { changePreferences, preferences } from '../../lib/preferences.ts'
import { Logo, Mark } from '../brand/mark.tsx'
import { titleText } from '../title.ts'
import { MenuCount } from './menu-count.tsx'
import { MenuIcon } from './menu-icon.tsx'
import { MenuLink } from './menu-link.tsx'
import classes from './vertical-nav.module.css'

/** The navigation at the side; collapsed it shows icons and opens over the page under the pointer or the focus. */
export function VerticalNav({ menu }: { menu: readonly MenuItem[] }) {
  const t = useAppText()
  const { isVerticalNavCollapsed: collapsed, isVerticalNavSemiDark: semiDark } = useSyncExternalStore(
    preferences.subscribe,
    preferences.get,
  )
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <div className={classes.place} data-collapsed={collapsed || undefined}>
      <aside
        className={classes.side}
        data-collapsed={collapsed || undefined}
        {...(semiDark ? { 'data-mantine-color-scheme': 'dark' } : {})}
      >
        <div className={classes.head}>
          <Link to="/dashboard" className={classes.logo} aria-label={`WEFT, ${t('nav.home')}`}>
            <span className={classes.mark}>
              <Mark size={26} />
            </span>
            <span className={classes.full}>
              <Logo size={26} />
            </span>
          </Link>
          <ActionIcon
            className={classes.toggle}
            aria-label={collapsed ? t('nav.expand') : t('nav.collapse')}
            onClick={() => changePreferences({ isVerticalNavCollapsed: !collapsed })}
          >
            <Toggle size={18} className="flip-rtl" />
          </ActionIcon>
        </div>
        <NavList menu={menu} />
      </aside>
    </div>
  )
}

/** The navigation as a list that opens its groups in place. */
export function NavList({ menu }: { menu: readonly MenuItem[] }) {
  const t = useAppText()
  return (
    <nav className={classes.nav} aria-label={t('nav.main')}>
      <ul>
        {menu.map((item) => (
          <li key={item.name}>{item.to || item.link ? <Entry item={item} /> : <Group item={item} />}</li>
        ))}
      </ul>
    </nav>
  )
}

function Entry({ item, nested }: { item: MenuItem; nested?: boolean }) {
  const { pathname } = useLocation()
  const active = isActive(item, pathname)
  return (
    <MenuLink
      item={item}
      className={classes.entry}
      data-nested={nested || undefined}
      data-active={active || undefined}
      aria-current={active ? 'page' : undefined}
    >
      {nested && !item.icon ? (
        <span className={classes.dot} aria-hidden />
      ) : (
        <MenuIcon name={item.icon} size={18} />
      )}
      <span className={classes.word}>{titleText(item.title)}</span>
      <MenuCount item={item} />
    </MenuLink>
  )
}

function Group({ item }: { item: MenuItem }) {
  const { pathname } = useLocation()
  const active = isActive(item, pathname)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const open = chosen ?? active
  return (
    <>
      <UnstyledButton
        className={classes.entry}
        data-active={(active && !open) || undefined}
        aria-expanded={open}
        onClick={() => setChosen(!open)}
      >
        <MenuIcon name={item.icon} size={18} />
        <span className={classes.word}>{titleText(item.title)}</span>
        {!open && <MenuCount item={item} />}
        <IconChevronDown size={15} className={classes.chevron} data-open={open || undefined} aria-hidden />
      </UnstyledButton>
      {open && (
        <ul className={classes.children}>
          {item.children.map((child) => (
            <li key={child.name}>
              <Entry item={child} nested />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
