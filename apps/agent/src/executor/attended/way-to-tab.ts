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

/** The titles of tabs; of those that do not answer, nothing. */
export type Titles = Promise<ReadonlyMap<Page, string | undefined>>

/** A part of an address that is another one the next time: numbers, keys and the like. */
const PASSING = /\d{3,}|[0-9a-f]{8,}|@|%40|.{41,}/i
/** Words of letters with digits are made up from this length on; those that mix both cases too, sooner. */
const MADE_UP_LENGTH = 12
const MADE_UP_MIXED_LENGTH = 6

/**
 * What a tab can be found by when the workflow is done again: its address as far as that lasts, or else its title, where no
 * other tab that is open has it too. Its place among them is the last resort, as it depends on all that was opened before.
 */
export async function wayToTab(
  page: Page,
  pages: readonly Page[],
  titles: Titles = titlesOf(pages.filter((one) => one !== page)),
): Promise<WayToTab> {
  await atMost(LOAD_MS, page.waitForLoadState('domcontentloaded').catch(ignored))
  const { whole, part } = lastingAddress(page.url())
  if (whole !== null && isFree(whole, page, pages)) return { by: 'url', value: literal(whole) }
  const title = await titleOf(page)
  if (title !== undefined && isLastingTitle(title)) {
    const others = [...(await titles).values()]
    // One that does not answer may have the same.
    if (others.every((other) => other?.includes(title) === false))
      return { by: 'title', value: literal(title) }
  }
  if (part !== null && isFree(part, page, pages)) return { by: 'url', value: literal(part) }
  return placeOf(page, pages)
}

/** What a tab can be found by as far as that is known without asking it. */
export function wayAtOnce(page: Page, pages: readonly Page[]): WayToTab {
  const { whole } = lastingAddress(page.url())
  const isKnown = whole !== null && isFree(whole, page, pages)
  return isKnown ? { by: 'url', value: literal(whole) } : placeOf(page, pages)
}

/** Asks tabs for their titles, all at once. */
export async function titlesOf(pages: readonly Page[]): Titles {
  return new Map(await Promise.all(pages.map(async (page) => [page, await titleOf(page)] as const)))
}

/** An address without what follows its path, where all of it lasts; and as much of it as lasts. */
export function lastingAddress(address: string): { whole: string | null; part: string | null } {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return { whole: null, part: null }
  const segments = url.pathname.split('/').slice(1)
  const passing = segments.findIndex(isPassing)
  if (passing < 0) return { whole: `${url.origin}${url.pathname}`, part: `${url.origin}/` }
  return {
    whole: null,
    part: `${url.origin}/${segments
      .slice(0, passing)
      .map((one) => `${one}/`)
      .join('')}`,
  }
}

/** Whether no other tab's address has this in it. */
const isFree = (address: string, page: Page, pages: readonly Page[]) =>
  !pages.some((other) => other !== page && other.url().includes(address))

const placeOf = (page: Page, pages: readonly Page[]): WayToTab => ({
  by: 'index',
  value: String(pages.indexOf(page)),
})

const isPassing = (segment: string) => PASSING.test(segment) || hasMadeUp(decoded(segment))

/** A title with a number, an e-mail address or a key in it is another one the next time, or for another account. */
function isLastingTitle(title: string): boolean {
  return title !== '' && title.length <= TITLE_MAX && !/[\p{Nd}@]/u.test(title) && !hasMadeUp(title)
}

/** Whether a word of it was not made by a person: a key, a token. */
const hasMadeUp = (text: string) => text.split(/[^\p{L}\p{Nd}]+/u).some(isMadeUp)

function isMadeUp(word: string): boolean {
  const rises = word.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0
  if (rises > 1 || (rises === 1 && word.length >= MADE_UP_LENGTH)) return true
  if (!/\p{Nd}/u.test(word) || !/\p{L}/u.test(word)) return false
  const isMixed = /\p{Ll}/u.test(word) && /\p{Lu}/u.test(word)
  return word.length >= (isMixed ? MADE_UP_MIXED_LENGTH : MADE_UP_LENGTH)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const titleOf = (page: Page): Promise<string | undefined> => atMost(TITLE_MS, page.title().catch(ignored))
const ignored = () => undefined
