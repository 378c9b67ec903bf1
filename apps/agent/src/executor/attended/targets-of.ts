import type { FrameLocator, Page } from 'playwright-core'
import { FOUND_MOST, type FoundTarget } from '@weft/contract/attended-runs/watched'
import { frameOf, targetSchema, type Target } from '@weft/workflow/targets'
import { locatorOf, theOne, type Wanted } from '../browser/locate.ts'
import { isSame, type Found } from './element.ts'
import { factsOf, type Facts } from './facts.ts'

/** An element that is told in the words of a workflow. */
export interface Told {
  facts: Facts
  found: FoundTarget[]
  problem: 'nestedFrame' | 'noTarget' | 'closed' | null
}

/** The same, of an element that the page lets be looked at. */
interface Looked extends Told {
  problem: 'nestedFrame' | 'noTarget' | null
}

/** Longer texts are content rather than a name. */
const NAME_MAX = 100
/** Its name is not worked out of more than so many elements. */
const WITHIN_MOST = 300
/** Among more than this, a number says nothing that lasts. */
const NTH_MOST = 200
const WAIT = { timeout: 1000 }

/**
 * The ways to find an element, the most lasting first: role and name, label, text, test id, CSS. Each was tried as a run
 * would try it and means exactly this element; those that mean others too say which of them it is, and stand at the end.
 */
export async function targetsOf(page: Page, element: Found): Promise<Looked> {
  const facts = await factsOf(element.element)
  const frame = await frameAround(page, element)
  if (frame === null) return { facts, found: [], problem: 'nestedFrame' }
  const own = frame === undefined ? {} : { frame }
  const named = await roleOf(page, facts, own)
  const { best, place } = candidates(facts)
  // A field for files is often hidden behind a nicer one, and given its file nevertheless.
  const wanted = facts.kind === 'file' ? 'attached' : 'visible'
  const tried = await Promise.all(
    [...named, ...best.map((one) => ({ ...one, ...own })), { ...place, ...own }].map((target) =>
      tryTarget(page, element, target, wanted),
    ),
  )
  const found = tried.filter((one) => one !== null)
  const byPlace = (one: FoundTarget) => one.target.by === 'css' && one.target.selector === place.selector
  const ranked = [
    ...found.filter((one) => one.matches === 1 && !byPlace(one)),
    ...found.filter(byPlace),
    ...found.filter((one) => one.matches > 1 && !byPlace(one)),
  ]
    .slice(0, FOUND_MOST)
    .map((one) => ({ ...one, target: written(one.target) }))
  return { facts, found: ranked, problem: ranked.length === 0 ? 'noTarget' : null }
}

/** A text as a template has it: what a page says is never an expression. */
export const literal = (text: string): string => text.replaceAll('{{', '\\{{')

/** A target as a workflow has it. */
function written(target: Target): Target {
  return targetSchema.parse(
    Object.fromEntries(
      Object.entries(target).map(([name, value]) => [
        name,
        typeof value === 'string' && name !== 'by' ? literal(value) : value,
      ]),
    ),
  )
}

type Css = Extract<Target, { by: 'css' }>

/** What may find it, but for its role. */
function candidates(facts: Facts): { best: Target[]; place: Css } {
  const { labels, text, placeholder, testId, altText, title, selectors, kind } = facts
  const short = (value: string) => value !== '' && value.length <= NAME_MAX
  const exact = true
  const css = selectors.map((selector): Css => ({ by: 'css', selector }))
  const best: Target[] = [
    ...(kind === 'other' ? [] : labels.map((label): Target => ({ by: 'label', text: label, exact }))),
    ...(short(placeholder) ? [{ by: 'placeholder', text: placeholder, exact } as const] : []),
    ...(short(text) ? [{ by: 'text', text, exact } as const] : []),
    ...(short(testId) ? [{ by: 'testId', id: testId } as const] : []),
    ...(short(altText) ? [{ by: 'altText', text: altText, exact } as const] : []),
    ...(short(title) ? [{ by: 'title', text: title, exact } as const] : []),
    ...css.slice(0, -1),
  ]
  return { best, place: css.at(-1) ?? { by: 'css', selector: facts.tag } }
}

/** Role and accessible name, as runs understand them. */
async function roleOf(page: Page, facts: Facts, own: { frame?: string }): Promise<Target[]> {
  const place = facts.selectors.at(-1)
  if (place === undefined || facts.within > WITHIN_MOST) return []
  try {
    const placed = await locatorOf(page, { by: 'css', selector: place, ...own })
    const text = await placed.ariaSnapshot(WAIT)
    const read = readRole(text)
    return read && read.name !== '' && read.name.length <= NAME_MAX
      ? [{ by: 'role', role: read.role, name: read.name, exact: true, ...own }]
      : []
  } catch {
    // It has no such place any more; its other ways are tried all the same.
    return []
  }
}

/** Reads the first line of an accessibility snapshot. */
export function readRole(snapshot: string): { role: string; name: string } | null {
  const line = snapshot.split('\n')[0] ?? ''
  const quoted = /^- '((?:[^']|'')*)'/.exec(line)
  const plain = quoted ? (quoted[1] ?? '').replaceAll("''", "'") : line.replace(/^- /, '')
  const read = /^([a-z]+) ("(?:[^"\\]|\\.)*")/.exec(plain)
  if (!read) return null
  try {
    const name: unknown = JSON.parse(read[2] ?? '')
    return typeof name === 'string' ? { role: read[1] ?? '', name } : null
  } catch {
    return null
  }
}

/** The selectors of the frames that hold it: undefined without one, null where one of them cannot be named alone. */
async function frameAround(page: Page, { frames }: Found): Promise<string | undefined | null> {
  let root: Page | FrameLocator = page
  const selectors: string[] = []
  for (const holder of frames) {
    const selector = await selectorOf(root, holder)
    if (selector === null) return null
    selectors.push(selector)
    root = root.frameLocator(selector)
  }
  return selectors.length === 0 ? undefined : frameOf(selectors)
}

/** The first selector of a frame's element that means it alone. */
async function selectorOf(root: Page | FrameLocator, holder: Found['element']): Promise<string | null> {
  const { selectors } = await factsOf(holder)
  for (const selector of selectors) {
    const all = root.locator(`css=${selector}`)
    if ((await all.count()) !== 1) continue
    const one = await all.elementHandle(WAIT)
    if (one && (await isSame(one, holder))) return selector
  }
  return null
}

/** A target as it was found to hold; null where it does not mean this element. */
async function tryTarget(
  page: Page,
  { element }: Found,
  target: Target,
  wanted: Wanted,
): Promise<FoundTarget | null> {
  if (!targetSchema.safeParse(target).success) return null
  try {
    const found = await theOne(page, target, wanted)
    if (typeof found !== 'number')
      return (await found.evaluate((one, other) => one === other, element, WAIT))
        ? { target, matches: 1 }
        : null
    if (found === 0) return null
    const all = await locatorOf(page, target)
    const matches = await all.count()
    if (matches > NTH_MOST) return null
    const nth = await all.evaluateAll((nodes, one) => nodes.indexOf(one as HTMLElement), element)
    if (nth < 0) return null
    const numbered = { ...target, nth }
    return typeof (await theOne(page, numbered, wanted)) === 'number' ? null : { target: numbered, matches }
  } catch {
    // A selector that this page cannot be asked for, or a frame that is gone.
    return null
  }
}
