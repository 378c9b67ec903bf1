import { Menu, UnstyledButton, type MantineTransition } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { useAppText } from '../../lib/i18n/texts.ts'
import { isActive, type MenuItem } from '../../lib/navigation/menu.ts'
import { titleText } from '../title.ts'
import { MenuIcon } from './menu-icon.tsx'
import { MenuLink } from './menu-link.tsx'
import classes from './horizontal-nav.module.css'

/** Comes up from a little below. */
const SLIDE_Y_REVERSE: MantineTransition = {
  in: { opacity: 1, transform: 'translateY(0)' },
  out: { opacity: 0, transform: 'translateY(8px)' },
  transitionProperty: 'opacity, transform',
}
const POPOVER_OFFSET = 6

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
    </MenuLink>
  )
}

function Group({ item }: { item: MenuItem }) {
  const { pathname } = useLocation()
  return (
    <Menu
      trigger="click-hover"
      position="bottom-start"
      offset={POPOVER_OFFSET}
      openDelay={60}
      closeDelay={140}
      transitionProps={{ transition: SLIDE_Y_REVERSE, duration: 140 }}
      width={220}
    >
      <Menu.Target>
        <UnstyledButton className={classes.entry} data-active={isActive(item, pathname) || undefined}>
          <MenuIcon name={item.icon} />
          {titleText(item.title)}
          <IconChevronDown size={14} aria-hidden className={classes.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {item.children.map((child) => {
          const active = isActive(child, pathname)
          return (
            <Menu.Item
              key={child.name}
              component={MenuLink}
              item={child}
              leftSection={child.icon ? <MenuIcon name={child.icon} /> : undefined}
              className={classes.child}
              data-active={active || undefined}
              aria-current={active ? 'page' : undefined}
            >
              {titleText(child.title)}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
