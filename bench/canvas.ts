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

const ROW = '[role=treeitem]'
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
    { canvas: view === 'canvas', shown: view === 'canvas' ? CARD : ROW },
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
        const focused = document.activeElement
        if (!focused || focused === document.body) throw new Error('the focus is gone')
        const begun = performance.now()
        focused.dispatchEvent(
          new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true, ...held }),
        )
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)))
      }),
    { pressed: key, held: modifiers },
  )
  await page.waitForTimeout(400)
  return milliseconds.parse(took)
}

/** What is done with keys where a step has the focus; nothing of it is kept. */
async function actions(page: Page): Promise<[name: string, times: number[]][]> {
  const all = [
    ['the next step', 'ArrowDown', {}],
    ['moving a step', 'ArrowDown', { altKey: true }],
    ['switching it off', '/', { ctrlKey: true }],
    ['a copy', 'd', { ctrlKey: true }],
    ['taking back', 'z', { ctrlKey: true }],
    ['all chosen', 'a', { ctrlKey: true }],
  ] as const
  const measured: [string, number[]][] = []
  for (const [name, key, held] of all) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // Who has chosen all chooses one again, so that there is something to do.
      if (key === 'a') await keyed(page, 'ArrowDown')
      times.push(await keyed(page, key, held))
    }
    measured.push([name, times])
  }
  await page.keyboard.press('Escape')
  return measured
}

/** From a letter in the field that has the focus to the frame that shows it. */
async function typed(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const took: unknown = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const begun = performance.now()
          document.execCommand('insertText', false, 'x')
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)))
        }),
    )
    times.push(milliseconds.parse(took))
    await page.waitForTimeout(400)
  }
  return times
}

/** The canvas of a large workflow in Chromium: how soon, how smoothly, how quickly it obeys. */
export async function run(): Promise<BenchRow[]> {
  const server = await BenchServer.start()
  const browser = await BenchBrowser.open()
  try {
    const { workflows } = await server.signIn()
    const usual = await workflows.create({ name: 'Two hundred', draft: encodeDocument(sketch(steps(200))) })
    const large = await workflows.create({
      name: 'Nearly five hundred',
      draft: encodeDocument(sketch(steps(490))),
    })
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
    row('490 steps on the canvas, moved: frames a second', median(frames), '1/s', 50, true)

    for (const [id, size] of [
      [usual.id, '200'],
      [large.id, '490'],
    ]) {
      await page.goto(`${server.url}/cms/workflow/editor/${id}?view=canvas`)
      await page.locator(CARD).first().waitFor()
      await page.waitForTimeout(1000)
      await page.locator(CARD).nth(2).click()
      for (const [name, times] of await actions(page))
        row(`${size} steps on the canvas, ${name}`, median(times), 'ms', 50)
      await page.goto(`${server.url}/cms/workflow/editor/${id}`)
      await page.locator(ROW).nth(2).click()
      await page.waitForTimeout(1000)
      for (const [name, times] of await actions(page))
        row(`${size} steps in the outline, ${name}`, median(times), 'ms', 50)
      await page.getByLabel('Message').focus()
      row(`${size} steps in the outline, a letter typed`, median(await typed(page)), 'ms', 50)
    }
    return rows
  } finally {
    await browser.close()
    await server.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
