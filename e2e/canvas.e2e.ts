import { expect, test, type Page } from '@playwright/test'
import { workflows } from '@weft/contract/workflows/api'
import { outlineOf } from '@weft/workflow/outline'
import { decodeDocument, encodeDocument } from '@weft/workflow/state-codec'
import { sketch, type StepSketch } from '@weft/workflow/testing/builder'
import type { TestPerson } from '../apps/server/src/testing/people.ts'
import type { TestServer } from '../apps/server/src/testing/server.ts'
import { axeProblems, visibleProblems } from './support/inspect.ts'
import { enterAs, serverWithConsole } from './support/people.ts'

/** The drawing of a workflow: the same document as the outline, changed by dragging, by buttons and by keys. */

test.use({
  actionTimeout: 15_000,
  trace: 'off',
  reducedMotion: 'reduce',
  viewport: { width: 1440, height: 900 },
})

const log = (id: string, name: string): StepSketch => ({ id, type: 'log', name, state: { message: id } })
const DOCUMENT = sketch([
  log('first', 'First'),
  {
    id: 'choice',
    type: 'condition',
    state: { condition: '1 == 1' },
    bodies: { true: [log('yes', 'If it is so')], false: [] },
  },
  log('last', 'Last'),
])

let server: TestServer
let ann: TestPerson
let id: string

test.beforeAll(async () => {
  server = await serverWithConsole()
  ann = await server.as('operator', 'ann')
  id = (await ann.api(workflows).create({ name: 'Drawn', draft: encodeDocument(DOCUMENT) })).id
})
test.afterAll(() => server.stop())

const card = (page: Page, name: string) => page.locator('.react-flow__nodes').getByRole('button', { name })
const spot = (page: Page, place: string) => page.locator(`[data-spot="spot ${place}"]`)

/** The saved steps, indented. */
async function saved(): Promise<string[]> {
  const document = decodeDocument((await ann.api(workflows).get({ id })).draft)
  if (!document.ok) throw new Error('the workflow cannot be read')
  return outlineOf(document.value).flatMap((row) =>
    row.kind === 'step' ? [`${'.'.repeat(row.depth / 2)}${row.activity.name ?? row.activity.type}`] : [],
  )
}

async function middleOf(page: Page, place: string) {
  const box = await spot(page, place).boundingBox()
  if (!box) throw new Error(`there is no spot ${place}`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test('steps are dragged, added where they belong, found, taken back and saved; both views show the same', async ({
  page,
}) => {
  await enterAs(page, server, 'ann')
  await page.goto(`${server.url}/cms/workflow/editor/${id}`)
  await page.getByRole('button', { name: 'Canvas', exact: true }).click()
  await expect(card(page, 'First')).toBeVisible()

  // What can be tried with a step, by the pointer and by a key; the focus comes back.
  await card(page, 'First').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Run this step' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await card(page, 'First').focus()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: 'Run this step' })).toBeFocused()
  await expect(page.getByRole('menuitem', { name: 'Pin its last output' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await expect(card(page, 'First')).toBeFocused()

  // Dragged into an empty body.
  const from = await card(page, 'First').boundingBox()
  if (!from) throw new Error('the step is not drawn')
  const to = await middleOf(page, 'into choice/false')
  await page.mouse.move(from.x + 60, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(from.x + 70, from.y + 50, { steps: 3 })
  await page.mouse.move(to.x, to.y, { steps: 6 })
  await expect(spot(page, 'into choice/false')).toHaveAttribute('data-wanted')
  await page.mouse.up()
  await expect(spot(page, 'after first')).toBeVisible()

  // From the palette to after a step.
  await page.getByRole('button', { name: 'Open the activities' }).click()
  await page.getByRole('button', { name: 'Screenshot', exact: true }).dragTo(spot(page, 'after yes'))
  await expect(card(page, 'Screenshot')).toBeVisible()
  await page.getByRole('button', { name: 'Close the activities' }).click()

  // By the button between two steps.
  await spot(page, 'after choice').click()
  await page.getByRole('dialog').getByRole('textbox').fill('Click')
  await page.getByRole('option').first().click()
  await expect(card(page, 'Click')).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(card(page, 'Click')).toBeHidden()

  // Found, and moved by keys.
  await page.getByLabel('Find a step').fill('last')
  await page.getByLabel('Find a step').press('Enter')
  await expect(card(page, 'Last')).toHaveAttribute('aria-pressed', 'true')
  await card(page, 'Last').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(card(page, 'Last')).toBeFocused()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Not saved')).toBeHidden()
  expect(await saved()).toEqual(['Last', 'condition', '.If it is so', '.screenshot', '.First'])

  await page.getByRole('button', { name: 'Outline', exact: true }).click()
  await expect(page.getByRole('tree')).toContainText('If it is so')
  await expect(page).not.toHaveURL(/view=/)
})

test('the drawing is free of barriers, in both directions of writing', async ({ page }) => {
  await enterAs(page, server, 'ann')
  for (const code of ['en', 'ar']) {
    await page.evaluate((language) => localStorage.setItem('Lang::Data', JSON.stringify(language)), { code })
    await page.goto(`${server.url}/cms/workflow/editor/${id}?view=canvas`)
    await expect(spot(page, 'start')).toBeVisible()
    expect(await axeProblems(page)).toEqual([])
    expect(await visibleProblems(page)).toEqual([])
  }
})

test('values offered in a field and the test panel are free of barriers, in both directions of writing', async ({
  page,
}) => {
  await enterAs(page, server, 'ann')
  for (const [code, button, message] of [
    ['en', 'Test', 'Message'],
    ['ar', 'اختبار', 'الرسالة'],
  ] as const) {
    await page.evaluate((language) => localStorage.setItem('Lang::Data', JSON.stringify(language)), { code })
    await page.goto(`${server.url}/cms/workflow/editor/${id}`)
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.locator('[data-dock] form')).toBeVisible()
    const field = page.getByLabel(message)
    await expect(field).toBeVisible()
    await field.press('Control+Space')
    const value = page.getByRole('option').first()
    await expect(value).toBeVisible()
    // Expressions are read from left to right in any language.
    await expect(value.locator('bdi').first()).toHaveCSS('direction', 'ltr')
    expect(await axeProblems(page)).toEqual([])
    await field.press('Escape')
    await expect(value).toBeHidden()
  }
})
