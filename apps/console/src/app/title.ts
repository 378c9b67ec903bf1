import type { OwnTitle } from '@weft/contract/system/schema'
import { useEffect, useSyncExternalStore } from 'react'
import { config } from '../lib/config.ts'
import { currentLanguage } from '../lib/i18n/languages.ts'
import { firstText, useLanguage } from '../lib/i18n/texts.ts'
import type { PageRoute } from '../lib/navigation/route-table.ts'
import { pageName } from '../kit/page/page-name.ts'

/** The words of a route's title: those of the installation's own in this language, else those of its key, else any. */
export function titleText(title: string | OwnTitle | undefined): string | undefined {
  if (!title) return undefined
  if (typeof title !== 'string') {
    const { key, ...own } = title
    return own[currentLanguage.get().code] ?? titleText(key) ?? own.en ?? own.fr ?? own.ar
  }
  return firstText([`app:${title}`, `app:page.${title}`]) ?? title
}

/** The window's title: the site in brackets, a dash, the page. */
export function windowTitle(siteName: string, page: string | undefined): string {
  return page ? `[${siteName}] - ${page}` : `[${siteName}]`
}

/** Keeps the window's title that of the page. */
export function usePageTitle(route: PageRoute | null): void {
  const { siteName } = useSyncExternalStore(config.subscribe, config.get)
  const shown = useSyncExternalStore(pageName.subscribe, pageName.get)
  // The words follow the language, and with them the title.
  useLanguage()
  const title = windowTitle(siteName, titleText(route?.node.meta.title) ?? shown ?? undefined)
  useEffect(() => {
    document.title = title
  }, [title])
}
