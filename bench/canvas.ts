import type { Page } from 'playwright-core'
import { z } from 'zod'
import { encodeDocument } from '@weft/workflow/state-codec'
import { sketch, type StepSketch } from '@weft/workflow/testing/builder'
import { BenchBrowser } from './support/browser.ts'
import { BenchServer, median, report, type BenchRow } from './support/server.ts'

const ROUNDS = 5
const PAN_MS = 3000

/** Loops of nine steps and themselves: as many steps as wanted, most of them within something. */
function steps(count: number): StepSketch[] {
  return Array.from({ length: count / 10 }, (_, loop) => ({
    id: `loop_${loop}`,
    type: 'for-each',
    state: { items: 'inputs.rows' },
    bodies: {
      body: Array.from({ length: 9 }, (_none, step) => ({
        id: `log_${loop}_${step}`,
        type: 'log',
        state: { message: `Row {{ item.name }} of ${loop}, ${step}` },
      })),
    },
  }))
}

const CARD = '.react-flow__node button[aria-pressed]'
const milliseconds = z.number()

/** From the press on a workflow’s name in the list to its first step on the screen. */
async function opening(page: Page, url: string, name: string, view: 'outline' | 'canvas'): Promise<number> {
  await page.goto(`${url}/cms/workflow/list`)
  const link = page.getByRole('link', { name, exact: true })
  await link.waitFor()
  const took: unknown = await link.evaluate(
    (element, { canvas, shown }) =>
      new Promise((resolve) => {
        const begun = performance.now()
        const seen = new MutationObserver(() => {
          if (!document.querySelector(shown)) return
          seen.disconnect()
          requestAnimationFrame(() => resolve(performance.now() - begun))
        })
        seen.observe(document, { childList: true, subtree: true })
        // The list’s link leads to the outline; an address that was shared may lead to the canvas.
        if (canvas && element instanceof HTMLAnchorElement) element.href += '?view=canvas'
        if (element instanceof HTMLElement) element.click()
      }),
    { canvas: view === 'canvas', shown: view === 'canvas' ? CARD : '[role=treeitem]' },
  )
  return milliseconds.parse(took)
}

/** Frames a second while the canvas is moved by the wheel. */
async function panning(page: Page): Promise<number> {
  const perSecond: unknown = await page.evaluate(
    (forMs) =>
      new Promise((resolve) => {
        const pane = document.querySelector('.react-flow__pane')
        if (!pane) throw new Error('there is no canvas')
        const begun = performance.now()
        let count = 0
        const next = (now: number) => {
          count += 1
          pane.dispatchEvent(new WheelEvent('wheel', { deltaY: 40, bubbles: true, cancelable: true }))
          if (now - begun < forMs) requestAnimationFrame(next)
          else resolve((count / (now - begun)) * 1000)
        }
        requestAnimationFrame(next)
      }),
    PAN_MS,
  )
  return milliseconds.parse(perSecond)
}

/** From a key on the focused step to the frame that shows what it did. */
async function keyed(
  page: Page,
  key: string,
  modifiers: { altKey?: boolean; ctrlKey?: boolean } = {},
): Promise<number> {
  const took: unknown = await page.evaluate(
    ({ pressed, held }) =>
      new Promise((resolve) => {
        const begun = performance.now()
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true, ...held }),
        )
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)))
      }),
    { pressed: key, held: modifiers },
  )
  await page.waitForTimeout(400)
  return milliseconds.parse(took)
}

/** The canvas of a large workflow in Chromium: how soon, how smoothly, how quickly it obeys. */
export async function run(): Promise<BenchRow[]> {
  const server = await BenchServer.start()
  const browser = await BenchBrowser.open()
  try {
    const { workflows } = await server.signIn()
    await workflows.create({ name: 'Two hundred', draft: encodeDocument(sketch(steps(200))) })
    const large = await workflows.create({ name: 'Five hundred', draft: encodeDocument(sketch(steps(500))) })
    const { page } = browser
    await browser.signIn(server.url)
    const rows: BenchRow[] = []
    const row = (name: string, value: number, unit: string, bar: number, atLeast = false) =>
      rows.push({
        name,
        value,
        unit,
        bar: `${atLeast ? '≥' : '≤'} ${bar}`,
        ok: atLeast ? value >= bar : value <= bar,
      })
    const openings: number[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      openings.push(await opening(page, server.url, 'Two hundred', 'outline'))
    row('a workflow of 200 steps is opened', median(openings), 'ms', 1000)

    await page.goto(`${server.url}/cms/workflow/editor/${large.id}?view=canvas`)
    await page.locator(CARD).first().waitFor()
    await page.waitForTimeout(1000)
    const frames: number[] = []
    for (let round = 0; round < 3; round += 1) frames.push(await panning(page))
    row('500 steps on the canvas, moved: frames a second', median(frames), '1/s', 50, true)

    await page.getByRole('button', { name: 'Go to the start' }).click()
    await page.locator(CARD).nth(2).click()
    const actions = [
      ['the next step', 'ArrowDown', {}],
      ['moving a step', 'ArrowDown', { altKey: true }],
      ['switching it off', '/', { ctrlKey: true }],
      ['a copy', 'd', { ctrlKey: true }],
      ['taking back', 'z', { ctrlKey: true }],
    ] as const
    for (const [name, key, held] of actions) {
      const times: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) times.push(await keyed(page, key, held))
      row(`500 steps on the canvas, ${name}`, median(times), 'ms', 50)
    }
    return rows
  } finally {
    await browser.close()
    await server.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
