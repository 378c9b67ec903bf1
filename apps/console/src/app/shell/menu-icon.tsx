import { createElement } from 'react'
import { menuIcon } from './icons.ts'

/** The icon of a menu item by its name. */
export function MenuIcon({ name, size = 17 }: { name: string | undefined; size?: number }) {
  return createElement(menuIcon(name), { size, stroke: 1.7, 'aria-hidden': true })
}
