import type { Page } from 'playwright-core'
import { atMost } from '../within.ts'
import { literal } from './targets-of.ts'

/** How a step finds a tab. */
export interface WayToTab {
  by: 'url' | 'title' | 'index'
  value: string
}

/** A tab that has not said by then what it shows is known by its place. */
const LOAD_MS = 1500
const TITLE_MS = 500
const TITLE_MAX = 100

/** What makes a part of an address, or a title, another one the next time: numbers, keys and the like. */
const PASSING = /\d{3,}|[0-9a-f]{8,}|@|%40|.{41,}/i

/**
 * What a tab can be found by when the workflow is done again: its address as far as that lasts, or else its title, where no
 * other tab that is open has it too. Its place among them is the last resort, as it depends on all that was opened before.
 */
export async function wayToTab(page: Page, pages: readonly Page[]): Promise<WayToTab> {
  await atMost(LOAD_MS, page.waitForLoadState('domcontentloaded').catch(ignored))
  const others = pages.filter((one) => one !== page)
  const { whole, part } = lastingAddress(page.url())
  const isFree = (address: string | null) =>
    address !== null && !others.some((other) => other.url().includes(address))
  if (whole !== null && isFree(whole)) return { by: 'url', value: literal(whole) }
  const title = await titleOf(page)
  if (title !== undefined && title !== '' && title.length <= TITLE_MAX && !/\d/.test(title)) {
    const titles = await Promise.all(others.map(titleOf))
    // One that does not answer may have the same.
    if (titles.every((other) => other?.includes(title) === false))
      return { by: 'title', value: literal(title) }
  }
  if (part !== null && isFree(part)) return { by: 'url', value: literal(part) }
  return { by: 'index', value: String(pages.indexOf(page)) }
}

/** An address without what follows its path, where all of it lasts; and as much of it as lasts. */
export function lastingAddress(address: string): { whole: string | null; part: string | null } {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return { whole: null, part: null }
  const segments = url.pathname.split('/').slice(1)
  const passing = segments.findIndex((segment) => PASSING.test(segment))
  if (passing < 0) return { whole: `${url.origin}${url.pathname}`, part: `${url.origin}/` }
  return {
    whole: null,
    part: `${url.origin}/${segments
      .slice(0, passing)
      .map((one) => `${one}/`)
      .join('')}`,
  }
}

const titleOf = (page: Page): Promise<string | undefined> => atMost(TITLE_MS, page.title().catch(ignored))
const ignored = () => undefined
