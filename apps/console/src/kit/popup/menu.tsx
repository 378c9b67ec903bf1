import { Menu, type MenuProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Anchor } from './anchor.tsx'
import type { PopupParts } from './popup.tsx'

/** The menu of a popup; its items are Mantine's `Menu.Item`. Loaded with what it holds, never with the page. */
export function PopupMenu({
  parts,
  children,
  ...look
}: { parts: PopupParts; children: ReactNode } & Pick<
  MenuProps,
  'width' | 'position' | 'offset' | 'transitionProps'
>) {
  return (
    <Menu
      id={parts.id}
      opened={parts.open !== 'no'}
      onChange={parts.onClose}
      returnFocus={false}
      trapFocus={parts.open === 'click'}
      portalProps={withinMain(parts.id)}
      {...look}
    >
      <Menu.Target>
        <Anchor to={parts.id} />
      </Menu.Target>
      <Menu.Dropdown
        onClick={(event) => event.stopPropagation()}
        onPointerOver={parts.onPointerOver}
        onPointerLeave={parts.onPointerLeave}
      >
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}

/** A menu of the page's content is drawn within it: what is outside of every landmark is hard to find by them. */
function withinMain(id: string): { target?: HTMLElement } {
  const main = document.getElementById(id)?.closest('main')
  return main ? { target: main } : {}
}
