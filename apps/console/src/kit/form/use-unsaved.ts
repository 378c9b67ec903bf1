import { useEffect } from 'react'
import { text } from '../../lib/i18n/texts.ts'
import { guardLeaving } from '../../lib/navigation/guards.ts'
import { useLatest } from '../../lib/use-latest.ts'
import { confirm } from '../confirm/confirm.ts'

/**
 * Asks before a page is left on which something is not saved; closing the tab asks too. `words` is the key of the text
 * that says what would be lost; `isStill` is asked at that moment, where the answer may be newer than what is drawn.
 * With `tabsKeep` it is not lost when another tab of the page is chosen.
 */
export function useUnsaved(
  unsaved: boolean,
  {
    words = 'kit:form.leaveText',
    isStill = () => true,
    tabsKeep = false,
  }: { words?: string; isStill?: () => boolean; tabsKeep?: boolean } = {},
): void {
  const latest = useLatest({ words, isStill, tabsKeep })
  useEffect(() => {
    if (!unsaved) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    const free = guardLeaving((to) => {
      if (!latest.current.isStill()) return true
      const isOtherTab = new URL(to, location.href).pathname === location.pathname
      if (latest.current.tabsKeep && isOtherTab) return true
      return confirm({
        title: text('kit:form.leaveTitle'),
        text: text(latest.current.words),
        confirmLabel: text('kit:form.leave'),
        cancelLabel: text('kit:form.stay'),
        danger: false,
      })
    })
    return () => {
      removeEventListener('beforeunload', warn)
      free()
    }
  }, [unsaved, latest])
}
