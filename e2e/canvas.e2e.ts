import { expect, test, type Page } from '@playwright/test'
import { workflowComments } from '@weft/contract/workflow-comments/api'
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
  actionTimeout: 30_000,
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
  // Its tools stay in the window also when a banner comes above it.
  await page.evaluate(() => {
    const banner = document.createElement('div')
    banner.style.height = '80px'
    document.querySelector('main')?.before(banner)
  })
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeInViewport({ ratio: 1 })

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

  // By the button between two steps, which is below what the window shows; it stays where it is brought to.
  await spot(page, 'after choice').evaluate((button) => button.scrollIntoView())
  await expect(spot(page, 'after choice')).toBeInViewport({ ratio: 1 })
  await spot(page, 'after choice').click()
  const wanted = page.getByRole('dialog').getByRole('textbox')
  await wanted.fill('Click')
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
    // A name in Latin letters begins beside its icon in Arabic too.
    const [icon, name] = await Promise.all([
      card(page, 'Last').locator('svg').first().boundingBox(),
      card(page, 'Last').locator('bdi').first().boundingBox(),
    ])
    if (!icon || !name) throw new Error('the step is not drawn')
    const between = code === 'ar' ? icon.x - (name.x + name.width) : name.x - (icon.x + icon.width)
    expect(between).toBeLessThan(16)
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

test('two people see where the other is, talk about a step, and hear who saved', async ({ browser }) => {
  const talk = (await ann.api(workflows).create({ name: 'Shared', draft: encodeDocument(DOCUMENT) })).id
  await server.as('administrator', 'root')
  const [mine, theirs] = await Promise.all(
    ['ann', 'root'].map(async (name) => {
      const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
      await enterAs(page, server, name)
      await page.goto(`${server.url}/cms/workflow/editor/${talk}`)
      return page
    }),
  )
  if (!mine || !theirs) throw new Error('there are two')
  const row = (page: Page, name: string) => page.getByRole('treeitem', { name })

  // Each sees the other, and the step that they have chosen, in both views.
  await expect(mine.getByRole('button', { name: '1 other has this open: root' })).toBeVisible()
  await expect(theirs.getByRole('button', { name: '1 other has this open: ann' })).toBeVisible()
  await row(theirs, 'Last').click()
  await expect(row(mine, 'Last')).toContainText('Chosen by root')
  await mine.getByRole('button', { name: '1 other has this open: root' }).click()
  await mine
    .getByRole('dialog', { name: /has this open/ })
    .getByRole('button', { name: 'At Last' })
    .click()
  await expect(row(mine, 'Last')).toHaveAttribute('aria-selected', 'true')
  await expect(row(theirs, 'Last')).toContainText('Chosen by ann')
  await mine.getByRole('button', { name: 'Canvas', exact: true }).click()
  await expect(mine.locator('.react-flow__nodes').getByText('Chosen by root')).toBeAttached()

  // A comment by the keyboard, with the name of somebody who is told.
  await theirs.keyboard.press('c')
  const field = theirs.getByRole('textbox', { name: 'Comment' })
  await expect(field).toBeFocused()
  await theirs.keyboard.type('Is this right, @an')
  await expect(theirs.getByRole('option', { name: '@ann' })).toBeVisible()
  await theirs.keyboard.press('Enter')
  await expect(field).toHaveValue('Is this right, @ann ')
  await theirs.keyboard.press('Control+Enter')
  await expect(field).toHaveValue('')
  const thread = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Is this right, @ann' })
  await expect(thread(theirs).getByText('On Last')).toBeVisible()
  await expect(mine.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  await mine.locator('.react-flow__nodes').getByRole('button', { name: '1 open comment · 1 unread' }).click()
  await expect(thread(mine).getByText('New', { exact: true })).toBeVisible()
  expect(await axeProblems(mine)).toEqual([])

  // Answered and resolved before the other's eyes.
  await thread(mine).getByRole('button', { name: 'Answer' }).click()
  await mine.keyboard.type('It is')
  await mine.keyboard.press('Control+Enter')
  await expect(thread(theirs).getByRole('article', { name: 'Comment by ann' })).toContainText('It is')

  // What changed elsewhere is shown, and written over only after that was said.
  const said = thread(mine).getByRole('article', { name: 'Comment by ann' })
  await said.getByRole('button', { name: 'Edit' }).click()
  const change = said.getByRole('textbox', { name: 'Your comment' })
  await change.fill('It is so')
  const talked = ann.api(workflowComments)
  const [reply] = (await talked.list({ workflowId: talk })).data.flatMap(({ replies }) => replies)
  if (!reply) throw new Error('There is no answer.')
  await talked.edit({ id: reply.id, version: reply.version, text: 'It was' })
  await expect(said).toContainText('It was')
  await said.getByRole('button', { name: 'Save' }).click()
  await expect(mine.getByText('Somebody changed this in the meantime.')).toBeVisible()
  await expect(change).toHaveValue('It is so')
  await said.getByRole('button', { name: 'Save' }).click()
  await expect(change).toHaveCount(0)
  await expect(thread(theirs)).toContainText('It is so')
  await thread(mine).getByRole('button', { name: 'Resolve' }).click()
  await expect(thread(mine)).toHaveCount(0)
  await expect(thread(theirs)).toHaveCount(0)
  await theirs.getByText('Resolved', { exact: true }).click()
  await expect(thread(theirs)).toContainText('Resolved by ann')
  await thread(theirs)
    .getByRole('button', { name: /On Last/ })
    .click()
  await expect(row(theirs, 'Last')).toHaveAttribute('aria-selected', 'true')

  // What somebody saves is taken over, and said to be theirs; whoever closes their tab is gone.
  await row(theirs, 'Last').click()
  await theirs.keyboard.press('Delete')
  await theirs.keyboard.press('Control+s')
  await expect(mine.getByText('root saved; this is their version')).toBeVisible()
  await theirs.context().close()
  await expect(mine.getByRole('button', { name: /has this open/ })).toHaveCount(0)
  await mine.context().close()
})
