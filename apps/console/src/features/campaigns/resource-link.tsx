import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Attachable } from '@weft/contract/campaigns/schema'

/** The kinds that have pages of their own in this console. */
const WITH_PAGES: readonly Attachable[] = ['clients', 'accounts', 'profiles']

/** The list of a kind, or of one record the page; null for a kind that has none. */
export function resourcePath(kind: Attachable, id?: string): string | null {
  if (!WITH_PAGES.includes(kind)) return null
  return id === undefined ? `/cms/resource/${kind}` : `/cms/resource/${kind}/${id}`
}

/** A resource's name that leads to it. `quiet` looks like the text around it until it is pointed at. */
export function ResourceLink(props: { kind: Attachable; id: string; quiet?: boolean; children: ReactNode }) {
  const path = resourcePath(props.kind, props.id)
  if (path === null) return props.children
  return (
    <Anchor
      component={Link}
      to={path}
      fz="inherit"
      c={props.quiet ? 'inherit' : undefined}
      // In a row the row itself leads elsewhere.
      onClick={(event) => event.stopPropagation()}
    >
      {props.children}
    </Anchor>
  )
}
