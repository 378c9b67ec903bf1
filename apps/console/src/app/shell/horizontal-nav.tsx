import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { useAppText } from '../../lib/i18n/texts.ts'
import { isActive, type MenuItem } from '../../lib/navigation/menu.ts'
import { Popup } from '../../kit/popup/popup.tsx'
import { titleText } from '../title.ts'
import { MenuCount } from './menu-count.tsx'
import { MenuIcon } from './menu-icon.tsx'
import { MenuLink } from './menu-link.tsx'
import classes from './horizontal-nav.module.css'

const loadMenu = () => import('./nav-menu.tsx')

/** The navigation as a row under the bar; groups open below their word. */
export function HorizontalNav({ menu }: { menu: readonly MenuItem[] }) {
  const t = useAppText()
  return (
    <nav className={classes.nav} aria-label={t('nav.main')}>
      {menu.map((item) =>
        item.to || item.link ? <Entry key={item.name} item={item} /> : <Group key={item.name} item={item} />,
      )}
    </nav>
  )
}

function Entry({ item }: { item: MenuItem }) {
  const { pathname } = useLocation()
  const active = isActive(item, pathname)
  return (
    <MenuLink
      item={item}
      className={classes.entry}
      data-active={active || undefined}
      aria-current={active ? 'page' : undefined}
    >
      <MenuIcon name={item.icon} />
      {titleText(item.title)}
      <MenuCount item={item} />
    </MenuLink>
  )
}

function Group({ item }: { item: MenuItem }) {
  const { pathname } = useLocation()
  return (
    <Popup
      hover
      load={loadMenu}
      button={(button) => (
        <UnstyledButton
          {...button}
          className={classes.entry}
          data-active={isActive(item, pathname) || undefined}
        >
          <MenuIcon name={item.icon} />
          {titleText(item.title)}
          <MenuCount item={item} />
          <IconChevronDown size={14} aria-hidden className={classes.chevron} />
        </UnstyledButton>
      )}
    >
      {(parts, { NavMenu }) => <NavMenu parts={parts} item={item} />}
    </Popup>
  )
}
