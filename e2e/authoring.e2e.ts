import { expect, test, type Page } from '@playwright/test'
import { projects } from '@weft/contract/projects/api'
import { workflows } from '@weft/contract/workflows/api'
import type { WorkflowDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { sketch, type StepSketch } from '@weft/workflow/testing/builder'
import type { TestPerson } from '../apps/server/src/testing/people.ts'
import type { TestServer } from '../apps/server/src/testing/server.ts'
import { axeProblems, settled } from './support/inspect.ts'
import { enterAs, serverWithConsole } from './support/people.ts'

/** What authors do around the steps of a workflow: where it lies, its releases, what becomes of its steps elsewhere. */

test.use({
  actionTimeout: 30_000,
  trace: 'off',
  reducedMotion: 'reduce',
  viewport: { width: 1440, height: 900 },
})

const log = (id: string, name: string, message = id): StepSketch => ({
  id,
  type: 'log',
  name,
  state: { message },
})
const saying = (message: string): WorkflowDocument =>
  sketch([log('first', 'First', message), log('last', 'Last')])

let server: TestServer
let ann: TestPerson

test.beforeAll(async () => {
  server = await serverWithConsole()
  ann = await server.as('operator', 'ann')
})
test.afterAll(() => server.stop())

const make = (name: string, document: WorkflowDocument, projectId: string | null = null) =>
  ann.api(workflows).create({ name, projectId, draft: encodeDocument(document) })

async function projectWith(name: string, variable?: string) {
  const made = await ann.api(projects).create({ name })
  if (variable === undefined) return made
  const variables = [{ name: variable, type: 'string' as const, value: 'North', description: '' }]
  return ann.api(projects).update({ id: made.id, version: made.version, variables })
}

const editor = (id: string, query = '') => `${server.url}/cms/workflow/editor/${id}${query}`

async function chooseProject(page: Page, name: string): Promise<void> {
  await page
    .getByRole('textbox', { name: 'Project', exact: true })
    .or(page.getByRole('combobox', { name: 'Project', exact: true }))
    .click()
  await page.getByRole('option', { name, exact: true }).click()
}

test('a workflow goes to another project after it was said what it would lack there', async ({ page }) => {
  const from = await projectWith('Where it was', 'shop')
  const to = await projectWith('Where it goes')
  const { id } = await make('Greets the shop', saying('{{ project.shop }}'), from.id)
  await enterAs(page, server, 'ann', `/cms/workflow/list?q=Greets`)
  await settled(page)
  await page
    .getByRole('row', { name: /Greets the shop/ })
    .getByRole('button')
    .click()
  await page.getByRole('menuitem', { name: 'Move or copy to a project' }).click()
  const question = page.getByRole('dialog', { name: 'Move or copy to a project' })
  await expect(question.getByRole('button', { name: 'Copy', exact: true })).toBeDisabled()
  await question.getByText('Move', { exact: true }).click()
  await chooseProject(page, 'Where it goes')
  await expect(question).toContainText('Greets the shop: the variable shop')
  expect(await axeProblems(page)).toEqual([])
  // What could not be done is said, and what was chosen is still there.
  const move = question.getByRole('button', { name: 'Move anyway' })
  await page.route('**/take-workflows/**', (route) => route.abort())
  await move.click()
  await expect(page.getByText('The server cannot be reached.')).toBeVisible()
  await expect(question.getByRole('combobox')).toHaveValue('Where it goes')
  await page.unroute('**/take-workflows/**')
  await move.click()
  await expect(page.getByText('Greets the shop was moved to Where it goes')).toBeVisible()
  expect((await ann.api(workflows).get({ id })).projectId).toBe(to.id)

  // Nor does the form of the workflow itself let it go without a word.
  await projectWith('A third')
  await page.goto(editor(id, '?tab=settings'))
  await settled(page)
  await expect(page.getByText('the variable shop')).toHaveCount(0)
  await chooseProject(page, 'A third')
  await expect(page.getByText('Greets the shop: the variable shop')).toBeVisible()
})

test('many are copied to a project at once', async ({ page }) => {
  const to = await projectWith('For copies')
  for (const name of ['Copied north', 'Copied south']) await make(name, saying(name))
  await enterAs(page, server, 'ann', `/cms/workflow/list?q=Copied`)
  await settled(page)
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Move or copy to a project' }).click()
  const question = page.getByRole('dialog', { name: 'Move or copy to a project' })
  // Nothing is moved unless it is asked for.
  await chooseProject(page, 'For copies')
  await question.getByRole('button', { name: 'Copy 2 workflows' }).click()
  await expect(question).toBeHidden()
  await expect
    .poll(async () => {
      const { data } = await ann.api(workflows).list({ projectId: to.id })
      return data.map(({ name }) => name).toSorted()
    })
    .toEqual(['Copied north', 'Copied south'])
})

test('a workflow of a frozen project says why it cannot be changed', async ({ page }) => {
  const project = await projectWith('Frozen one')
  const { id } = await make('Held still', saying('one'), project.id)
  await ann.api(projects).update({ id: project.id, version: project.version, status: 'frozen' })
  await enterAs(page, server, 'ann', `/cms/workflow/editor/${id}`)
  await expect(
    page.getByText('The project is frozen: nothing in it can be changed or started.'),
  ).toBeVisible()
})

test('among many releases each is compared with the one before it, also those that the list has not come to', async ({
  page,
}) => {
  let workflow = await make('Published often', saying('message 0'))
  for (let number = 1; number <= 52; number += 1) {
    const { id, version } = workflow
    const draft = encodeDocument(saying(`message ${number}`))
    workflow = await ann.api(workflows).update({ id, version, draft })
    await ann.api(workflows).publish({ id, version: workflow.version, changelog: `Says ${number}` })
    workflow = await ann.api(workflows).get({ id })
  }
  await enterAs(page, server, 'ann', `/cms/workflow/editor/${workflow.id}?tab=releases`)
  const release = (number: number) =>
    page.getByRole('listitem').filter({ hasText: new RegExp(`^Release ${number}(?!\\d)`) })
  await release(51).getByRole('button', { name: 'Compare' }).click()
  const dialog = page.getByRole('dialog', { name: 'What changed' })
  const shown = dialog.getByRole('figure')
  await expect(shown).toContainText('message 52')
  await dialog.getByRole('button', { name: 'What release 51 changed' }).click()
  await expect(shown).toContainText('message 50')
  await expect(shown).toContainText('message 51')
  await expect(shown).not.toContainText('message 52')
  expect(await axeProblems(page)).toEqual([])

  // The first two are beyond what the list shows at first.
  await expect(release(2)).toHaveCount(0)
  await dialog.getByRole('combobox', { name: 'Before' }).fill('Release 2')
  await page.getByRole('option', { name: 'Release 2', exact: true }).click()
  await expect(shown.getByText('Message = message 2', { exact: true })).toBeVisible()
})

test('chosen steps become an activity of one’s own, and giving up leads back to them', async ({ page }) => {
  const { id } = await make('Has steps', saying('{{ inputs.shop }}'))
  await server.as('administrator', 'administrator')
  await enterAs(page, server, 'administrator', `/cms/workflow/editor/${id}`)
  await page.getByRole('treeitem', { name: /First/ }).click()
  await page.getByLabel('Message').fill('Not saved {{ inputs.shop }}')
  await page.getByRole('button', { name: 'Make an activity of the chosen steps' }).click()
  const drawer = page.getByRole('dialog', { name: 'New activity' })
  await expect(drawer).toContainText('1 step.')
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(editor(id))
  await expect(page.getByLabel('Message')).toHaveValue('Not saved {{ inputs.shop }}')

  await page.getByRole('button', { name: 'Make an activity of the chosen steps' }).click()
  await drawer.getByLabel('Name').fill('Greet the shop')
  await drawer.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Greet the shop' })).toBeVisible()
  await expect(page.getByRole('treeitem', { name: /First/ })).toContainText('Not saved')

  // A step of it says in its form what it is.
  const calls = (await server.as('administrator', 'administrator')).api(workflows)
  const activityId = page.url().split('/').at(-1) ?? ''
  await calls.publish({ id: activityId, version: (await calls.get({ id: activityId })).version })
  const step = { id: 'greet', type: 'custom-activity', state: { activityId, version: 1 } }
  const user = await make('Greets', sketch([step]))
  await page.goto(editor(user.id))
  await expect(page.getByRole('heading', { name: 'Greet the shop' })).toBeVisible()
})

test('where two changed the same step, what differs is marked', async ({ page }) => {
  const { id, version } = await make('Changed by two', saying('before'))
  await enterAs(page, server, 'ann', `/cms/workflow/editor/${id}`)
  await page.getByLabel('Message').fill('mine')
  await ann.api(workflows).update({ id, version, draft: encodeDocument(saying('theirs')) })
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('mark')).toHaveText(['Message: mine', 'Message: theirs'])
  expect(await axeProblems(page)).toEqual([])
})
