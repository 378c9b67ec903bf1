import { Tabs } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import classes from './page.module.css'

/** One tab of a page. */
export interface PageTab {
  id: string
  label: ReactNode
  content: ReactNode
}

/** Tabs whose choice is in the address; only the open one is rendered. */
export function PageTabs({ tabs, name = 'tab' }: { tabs: readonly PageTab[]; name?: string }) {
  const [search, setSearch] = useSearchParams()
  const wanted = search.get(name)
  const first = tabs[0]
  const open = tabs.find(({ id }) => id === wanted) ?? first
  const list = useRef<HTMLDivElement>(null)
  const openId = open?.id
  useEffect(() => {
    // On a phone not all tabs fit; the open one is in sight. Asked for with the frame: it needs the page laid out.
    const frame = requestAnimationFrame(() => {
      const all = Array.from(list.current?.querySelectorAll('[role=tab]') ?? [])
      const tab = all.find(({ id }) => openId !== undefined && id.endsWith(`-tab-${openId}`))
      if (list.current && tab) showWithin(list.current, tab)
    })
    return () => cancelAnimationFrame(frame)
  }, [openId])
  if (!open) return null
  const choose = (id: string | null) =>
    setSearch(
      () => {
        // A tab's lists keep their state under names of their own; what belongs to the tab that closes goes with it.
        const next = new URLSearchParams()
        if (id && id !== first?.id) next.set(name, id)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <Tabs value={open.id} onChange={choose} keepMounted={false}>
      <Tabs.List ref={list} className={classes.tabs}>
        {tabs.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, content }) => (
        <Tabs.Panel key={id} value={id} pt={16}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/**
 * Moves a row so that one of its parts is in sight. Not by "scroll into view": from what was scrolled to the browser's Tab
 * goes on, and would leave out all that stands before it on the page.
 */
function showWithin(row: HTMLElement, part: Element): void {
  const [around, at] = [row.getBoundingClientRect(), part.getBoundingClientRect()]
  const out = at.left < around.left ? at.left - around.left : Math.max(0, at.right - around.right)
  if (out !== 0) row.scrollBy({ left: out })
}
