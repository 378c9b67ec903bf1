import type { Page } from 'playwright-core'
import { z } from 'zod'
import { encodeDocument } from '@weft/workflow/state-codec'
import { sketch } from '@weft/workflow/testing/builder'
import { BenchBrowser } from './support/browser.ts'
import { BenchServer, median, report, type BenchRow } from './support/server.ts'

const LETTERS = 40
const BAR_MS = 50

/** The first is a mere name, which needs no evaluation; the other goes to the sandbox for each letter. */
const TEXTS = {
  'a plain path': '{{ inputs.rows[7].name }}',
  'an expression over 200 rows':
    '{{ inputs.rows.filter((row) => row.price > 20).map((row) => row.name).join(", ") }}',
} as const

const document = sketch([{ id: 'note', type: 'log', state: { message: '' } }], {
  inputs: [
    {
      name: 'rows',
      type: 'list',
      required: false,
      default: Array.from({ length: 200 }, (_, at) => ({ name: `Row ${at}`, price: at % 40 })),
    },
  ],
})

const times = z.array(z.number())

/** From a letter that is typed to the frame that shows what the text gives with it, letter by letter. */
async function typing(page: Page, begin: string): Promise<number[]> {
  const field = page.locator('[data-step=note] textarea').first()
  await field.fill(begin)
  const shown = page.locator('[data-step=note] bdi').filter({ hasText: 'Row 7' }).first()
  await shown.waitFor()
  const took: unknown = await field.evaluate(
    async (element, { letters }) => {
      const found: number[] = []
      const value = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')
      const panel = element.closest('[data-step]')
      if (!panel || !value?.set) throw new Error('there is no field')
      for (let at = 0; at < letters; at += 1) {
        const mark = `${at}!`
        const begun = performance.now()
        value.set.call(element, `${mark} ${element instanceof HTMLTextAreaElement ? element.value : ''}`)
        element.dispatchEvent(new Event('input', { bubbles: true }))
        while (![...panel.querySelectorAll('bdi')].some(({ textContent }) => textContent?.startsWith(mark)))
          await new Promise(requestAnimationFrame)
        found.push(performance.now() - begun)
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
      return found
    },
    { letters: LETTERS },
  )
  return times.parse(took)
}

/** How soon the editor shows what an expression gives. */
export async function run(): Promise<BenchRow[]> {
  const server = await BenchServer.start()
  const browser = await BenchBrowser.open()
  try {
    const { workflows } = await server.signIn()
    const { id } = await workflows.create({ name: 'Previewed', draft: encodeDocument(document) })
    const { page } = browser
    await browser.signIn(server.url)
    await page.goto(`${server.url}/cms/workflow/editor/${id}`)
    await page.getByRole('treeitem').first().click()
    const rows: BenchRow[] = []
    for (const [name, text] of Object.entries(TEXTS)) {
      const value = median(await typing(page, text))
      rows.push({
        name: `the preview of ${name}, after a letter`,
        value,
        unit: 'ms',
        bar: `≤ ${BAR_MS}`,
        ok: value <= BAR_MS,
      })
    }
    return rows
  } finally {
    await browser.close()
    await server.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
