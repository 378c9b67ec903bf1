import { Menu, type MantineTransition } from '@mantine/core'
import { useLocation } from 'react-router'
import { isActive, type MenuItem } from '../../lib/navigation/menu.ts'
import { PopupMenu } from '../../kit/popup/menu.tsx'
import type { PopupParts } from '../../kit/popup/popup.tsx'
import { titleText } from '../title.ts'
import { MenuCount } from './menu-count.tsx'
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

/** The pages of one group of the horizontal navigation. */
export function NavMenu({ parts, item }: { parts: PopupParts; item: MenuItem }) {
  const { pathname } = useLocation()
  return (
    <PopupMenu
      parts={parts}
      position="bottom-start"
      offset={POPOVER_OFFSET}
      transitionProps={{ transition: SLIDE_Y_REVERSE, duration: 140 }}
      width={220}
    >
      {item.children.map((child) => {
        const active = isActive(child, pathname)
        return (
          <Menu.Item
            key={child.name}
            component={MenuLink}
            item={child}
            leftSection={child.icon ? <MenuIcon name={child.icon} /> : undefined}
            rightSection={<MenuCount item={child} />}
            className={classes.child}
            data-active={active || undefined}
            aria-current={active ? 'page' : undefined}
          >
            {titleText(child.title)}
          </Menu.Item>
        )
      })}
    </PopupMenu>
  )
}
