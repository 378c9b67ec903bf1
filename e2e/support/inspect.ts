import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { z } from 'zod'
import type { Look } from './pages.ts'

/** The rules' program, of the version that the package for Playwright brings. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** A page whose console errors are kept, by the address that was open. */
export class Watched {
  readonly page: Page
  #errors: string[] = []

  constructor(page: Page) {
    this.page = page
    page.on('pageerror', (error) => this.#errors.push(`script: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        this.#errors.push(`${message.type()}: ${message.text()} ${message.location().url}`)
    })
  }

  /** The errors since the last time. */
  take(): string[] {
    const found = this.#errors
    this.#errors = []
    return found
  }
}

/** A window: that of a phone where it is narrow, else that of a desk. */
export const sizeOf = (width = 1440) => ({ width, height: width < 600 ? 844 : 900 })

/** A context in a language, with the theme that the system has, as somebody has it who chose so on this device before. */
export async function contextIn(browser: Browser, url: string, look: Look): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: sizeOf(look.widths[0]), baseURL: url })
  await context.addCookies([{ name: 'WEFT-theme', value: 'system', url }])
  await context.addInitScript((code) => localStorage.setItem('Lang::I18n', code), look.language)
  return context
}

/** So long a page must have shown all that it has: a drawer of it may come with a file of its own. */
const CALM_MS = 100

/** Waits until a page shows what it has, and goes on to: no spinner, no skeleton, its fonts there. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction((calmMs) => {
    const spinner = document.getElementById('spinner')
    const busy = document.querySelector('[aria-busy="true"], [data-bone]')
    const calm =
      !spinner && !busy && document.querySelector('h1, h2') !== null && document.fonts.status === 'loaded'
    const { dataset } = document.documentElement
    if (!calm) delete dataset['calmSince']
    else dataset['calmSince'] ??= String(performance.now())
    return calm && performance.now() - Number(dataset['calmSince']) >= calmMs
  }, CALM_MS)
}

/** Gives the page another width, and waits until it shows there what it has. */
export async function inWidth(page: Page, width: number): Promise<void> {
  await page.setViewportSize(sizeOf(width))
  await page.evaluate(() => delete document.documentElement.dataset['calmSince'])
  await settled(page)
}

/** Lets the page have the colours of a theme: asks the system for it, and waits until they are there and stand still. */
export async function inTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.waitForFunction((wanted) => {
    const scheme = document.documentElement.dataset['mantineColorScheme']
    // Reading a style has the browser begin the transitions that the new theme calls for.
    void getComputedStyle(document.body).color
    return (
      scheme === wanted && !document.getAnimations().some((animation) => animation instanceof CSSTransition)
    )
  }, theme)
}

const axeProblem = z.object({ id: z.string(), target: z.string(), summary: z.string() })

/** What accessibility rules the page breaks, a line per rule and place; by default of all rules. */
export async function axeProblems(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(AXE)
  // No page of the console holds frames. Only what is broken leaves the page: to carry all over takes as long as to look.
  const options = { resultTypes: ['violations'], iframes: false, ...(rules ? { runOnly: rules } : {}) }
  const found: unknown =
    await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => ({ id, target: target.join(' '), summary: failureSummary ?? '' }))))`)
  return z
    .array(axeProblem)
    .parse(found)
    .map(({ id, target, summary }) => `${id}: ${target}: ${lastLine(summary)}`)
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? ''
}

/** Texts that are keys, and parts that are wider than the page. */
export async function visibleProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = []
    const key = /^[a-z]\w*(\.\w+)+$/
    // As texts write their placeholders; templates of workflows have spaces there.
    const unfilled = /\{\{\w+\}\}/
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const words = node.textContent?.trim() ?? ''
      const inCode = node.parentElement?.closest('code, pre, script, style, [dir="ltr"], [class*="mono"]')
      if ((key.test(words) && !inCode) || unfilled.test(words)) problems.push(`text ${words}`)
    }
    for (const part of document.querySelectorAll('[aria-label], [title], [placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder'])
        if (key.test(part.getAttribute(name) ?? '')) problems.push(`${name} ${part.getAttribute(name)}`)
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) {
      // The innermost parts that stick out, beginning with the last of them.
      const out = [...document.querySelectorAll('body *')].filter((part) => {
        const { left, right, width } = part.getBoundingClientRect()
        return width > 0 && (right > clientWidth + 1 || left < -1)
      })
      const named = out
        .slice(-3)
        .map(
          (part) =>
            `${part.tagName.toLowerCase()}.${part.getAttribute('class')} "${part.textContent?.slice(0, 40)}"`,
        )
      problems.push(`${scrollWidth - clientWidth} px wider than the window: ${named.join(', ')}`)
    }
    return problems
  })
}
