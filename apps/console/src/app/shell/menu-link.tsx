import type { AriaAttributes, ReactNode, Ref } from 'react'
import { Link } from 'react-router'
import type { MenuItem } from '../../lib/navigation/menu.ts'

type Given = AriaAttributes & {
  item: MenuItem
  className?: string | undefined
  children?: ReactNode
  ref?: Ref<HTMLAnchorElement>
}

/** Leads where an entry of the navigation leads: within the console, or out of it in a window of its own. */
export function MenuLink({ item, children, ...rest }: Given) {
  if (item.link)
    return (
      <a href={item.link} target="_blank" rel="noreferrer" {...rest}>
        {children}
      </a>
    )
  return (
    <Link to={item.to ?? item.children[0]?.to ?? '/'} {...rest}>
      {children}
    </Link>
  )
}
