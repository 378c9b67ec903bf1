import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { z } from 'zod'
import { makeAccounts } from './resources/estate.ts'
import { BenchBrowser } from './support/browser.ts'
import { BenchServer, median, report, type BenchRow } from './support/server.ts'

const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 1_000_000)
const ROUNDS = 3
const SCROLL_MS = 4000

/** In the page: how long after the list's answer the first rows were drawn. */
const drawn = z.object({ ms: z.number() })
const frames = z.object({ perSecond: z.number(), longest: z.number(), rows: z.number() })

/** Opens all rows; milliseconds from the end of the list's answer to the first row on the screen. */
async function firstRows(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/cms/resource/accounts?perPage=-1`)
  await page.locator('tbody tr[data-row]').first().waitFor()
  const measured: unknown = await page.evaluate(() => {
    const answers = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/resource/account/list'))
    const answer = answers[0]
    const mark = performance.getEntriesByName('first-row')[0]
    return {
      ms:
        (mark?.startTime ?? Number.NaN) -
        (answer instanceof PerformanceResourceTiming ? answer.responseEnd : 0),
    }
  })
  return drawn.parse(measured).ms
}

/** Scrolls for some seconds, `step` pixels a frame; frames a second, the longest frame, and rows in sight at the end. */
async function scroll(page: Page, step: number): Promise<z.infer<typeof frames>> {
  const measured: unknown = await page.evaluate(
    ({ by, forMs }) =>
      new Promise((resolve) => {
        const box = document.querySelector('section[data-all]')
        if (!box) throw new Error('there is no list of all rows')
        const began = performance.now()
        let [count, last, longest] = [0, began, 0]
        const next = (now: number) => {
          longest = Math.max(longest, now - last)
          last = now
          count += 1
          box.scrollTop += by
          if (now - began < forMs) requestAnimationFrame(next)
          else
            resolve({
              perSecond: (count / (now - began)) * 1000,
              longest,
              rows: document.querySelectorAll('tbody tr[data-row]').length,
            })
        }
        requestAnimationFrame(next)
      }),
    { by: step, forMs: SCROLL_MS },
  )
  return frames.parse(measured)
}

const processes = z.object({ processInfo: z.array(z.object({ type: z.string(), id: z.number() })) })

/** Memory that is the tab's own, of the largest of the browser's renderers. */
async function tabMb(context: BrowserContext): Promise<number> {
  const browser = context.browser()
  if (!browser) throw new Error('the browser is gone')
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = processes.parse(await session.send('SystemInfo.getProcessInfo'))
  const own = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0))
  return Math.max(...own) / 1024
}

/** All rows of a very long list in Chromium: how soon, how smoothly, in how much memory. */
export async function run(): Promise<BenchRow[]> {
  const server = await BenchServer.start()
  const pool = server.pool(2)
  try {
    const { userId } = await server.signIn()
    await makeAccounts(pool, userId, ACCOUNTS)
    const browser = await BenchBrowser.open()
    try {
      const { context, page } = browser
      await page.addInitScript(() => {
        const seen = new MutationObserver(() => {
          if (!document.querySelector('tbody tr[data-row]')) return
          seen.disconnect()
          requestAnimationFrame(() => performance.mark('first-row'))
        })
        seen.observe(document, { childList: true, subtree: true })
      })
      await browser.signIn(server.url)
      const firsts: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) firsts.push(await firstRows(page, server.url))
      const first = median(firsts)
      const wheel = await scroll(page, 60)
      const quick = await scroll(page, 900)
      const bar = await scroll(page, 40_000)
      // At rest the rows come; the last of them are the end of the list.
      await page.locator('section[data-all]').evaluate((box) => box.scrollTo({ top: box.scrollHeight }))
      await page.locator(`tbody tr[data-row][aria-rowindex="${ACCOUNTS + 1}"]`).waitFor({ timeout: 10_000 })
      const memory = await tabMb(context)
      const smooth = (
        name: string,
        { perSecond, longest }: { perSecond: number; longest: number },
      ): BenchRow[] => [
        {
          name: `scrolling ${name}: frames a second`,
          value: perSecond,
          unit: '1/s',
          bar: '≥ 50',
          ok: perSecond >= 50,
        },
        { name: `scrolling ${name}: longest frame`, value: longest, unit: 'ms', bar: '–', ok: true },
      ]
      return [
        {
          name: `All of ${ACCOUNTS.toLocaleString('en')}: answer to first rows`,
          value: first,
          unit: 'ms',
          bar: '≤ 500',
          ok: first <= 500,
        },
        ...smooth('as by wheel', wheel),
        ...smooth('as by page', quick),
        ...smooth('as by the bar', bar),
        { name: 'the tab’s own memory', value: memory, unit: 'MB', bar: '≤ 300', ok: memory <= 300 },
      ]
    } finally {
      await browser.close()
    }
  } finally {
    await pool.end()
    await server.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
