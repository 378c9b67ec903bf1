import { expect, test } from '@playwright/test'
import { activities } from '@weft/contract/activities/api'
import { clients } from '@weft/contract/clients/api'
import { projects } from '@weft/contract/projects/api'
import { testRuns } from '@weft/contract/test-runs/api'
import { workflows } from '@weft/contract/workflows/api'
import { encodeDocument } from '@weft/workflow/state-codec'
import { sketch } from '@weft/workflow/testing/builder'
import { HandAgent } from '../apps/server/src/engine/testing/hand-agent.ts'
import { joinAgent } from '../apps/server/src/testing/agent.ts'
import type { TestServer } from '../apps/server/src/testing/server.ts'
import { axeProblems, settled } from './support/inspect.ts'
import { enterAs, serverWithConsole } from './support/people.ts'

/** Projects with what they hold and who is in them, and the activities of one's own that workflows share. */

test.use({ actionTimeout: 30_000, trace: 'off', reducedMotion: 'reduce' })

let server: TestServer

test.beforeAll(async () => {
  server = await serverWithConsole()
})
test.afterAll(() => server.stop())

const says = (message: string) => encodeDocument(sketch([{ id: 'say', type: 'log', state: { message } }]))

test('variables of a project can be changed on a phone without moving the page sideways', async ({
  page,
}) => {
  const ann = await server.as('operator', 'ann')
  const { id, version } = await ann.api(projects).create({ name: 'Many values' })
  const description = 'The address of the shop that everything here is written for'
  const value = 'https://shop.example/a/rather/long/address?with=parameters&and=more'
  await ann.api(projects).update({
    id,
    version,
    variables: ['SHOP_ADDRESS', 'A_NAME_THAT_GOES_ON_FOR_RATHER_LONG'].map((name) => ({
      name,
      type: 'string' as const,
      value,
      description,
    })),
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await enterAs(page, server, 'ann', `/cms/project/detail/${id}?tab=variables`)
  await settled(page)
  const table = page.getByRole('table', { name: 'Variables' })
  await expect(table.getByRole('columnheader', { name: 'Value' })).toHaveCount(1)
  await expect(table.getByRole('row')).toHaveCount(3)
  for (const button of await table.getByRole('button').all()) {
    const box = await button.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  }
  expect(await axeProblems(page)).toEqual([])
  await table.getByRole('button', { name: 'Edit SHOP_ADDRESS' }).click()
  await expect(page.getByRole('dialog')).toContainText('SHOP_ADDRESS')
})

test('what is made in a drawer is named after its list', async ({ page }) => {
  await enterAs(page, server, 'administrator', '/cms/config/activity/new')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('listitem')
  await expect(crumbs).toHaveText(['Configs', 'Activity', 'New activity'])
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(crumbs).toHaveText(['Configs', 'Activity'])
})

test('before its users take a new version it is said what that would require of them', async ({ page }) => {
  const admin = await server.as('administrator')
  const made = await admin.api(activities).create({ name: 'Greet', category: 'report', draft: says('Hello') })
  const body = await admin.api(workflows).get({ id: made.id })
  await admin.api(workflows).publish({ id: made.id, version: body.version })
  await admin.api(workflows).create({
    name: 'Greets daily',
    draft: encodeDocument(
      sketch([
        {
          id: 'greet',
          type: 'custom-activity',
          name: 'Greet',
          state: { activityId: made.id, version: 1, inputs: [] },
        },
      ]),
    ),
  })
  const inputs = [{ name: 'place', type: 'text' as const, required: true }]
  const draft = { ...sketch([{ id: 'say', type: 'log', state: { message: '{{ inputs.place }}' } }]), inputs }
  const second = await admin
    .api(workflows)
    .update({ id: made.id, version: body.version, draft: encodeDocument(draft) })
  await admin.api(workflows).publish({ id: made.id, version: second.version })
  await enterAs(page, server, 'administrator', `/cms/config/activity/${made.id}?tab=users`)
  const user = page.getByRole('listitem').filter({ hasText: 'Greets daily' }).first()
  await expect(user).toContainText('Required, so the step is invalid until it is given: place')
  expect(await axeProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Take version 2 in 1 draft' }).click()
  await expect(user).toContainText('Required and not given: place')
})

test('a test run that finds no slot names what holds them', async ({ page }) => {
  const ann = await server.as('operator', 'ann')
  const { code } = await ann.api(clients).joinCode({ maxSlots: 1 })
  const agent = new HandAgent(await joinAgent(server.url, code, 1))
  await agent.beat()
  const make = (name: string) => ann.api(workflows).create({ name, draft: says(name) })
  const first = await make('Holds the slot')
  const held = await ann.api(testRuns).start({ workflowId: first.id, scope: { kind: 'whole' } })
  const { id } = await make('Wants the slot')
  await enterAs(page, server, 'ann', `/cms/workflow/editor/${id}`)
  await settled(page)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page
    .getByRole('region', { name: 'Test run' })
    .getByRole('button', { name: 'Run the workflow' })
    .click()
  const refusal = page
    .getByRole('alert')
    .filter({ hasText: 'All clients are busy with Holds the slot (ann)' })
  await expect(refusal).toBeVisible()
  await refusal.getByRole('link', { name: 'Holds the slot (ann)' }).click()
  await expect(page).toHaveURL(new RegExp(held.id))
  await agent.leave()
})

test('what calls a workflow is named where its release cannot be withdrawn, and cannot be changed where it is only read', async ({
  page,
}) => {
  const ann = await server.as('operator', 'ann')
  const api = ann.api(workflows)
  const project = await ann.api(projects).create({ name: 'Shut later' })
  const called = await api.create({ name: 'Is called', draft: says('called') })
  await api.publish({ id: called.id, version: called.version })
  const caller = await api.create({
    name: 'Calls it',
    projectId: project.id,
    draft: encodeDocument(
      sketch([{ id: 'go', type: 'call-workflow', state: { workflowId: called.id, release: 1 } }]),
    ),
  })
  await api.publish({ id: caller.id, version: caller.version })
  await enterAs(page, server, 'ann', `/cms/workflow/editor/${called.id}?tab=releases`)
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText('The release cannot be withdrawn: it is needed by Calls it.')).toBeVisible()
  await ann.api(projects).update({ id: project.id, version: project.version, status: 'archived' })
  await page.goto(`${server.url}/cms/workflow/editor/${caller.id}`)
  await page.getByRole('treeitem').first().click()
  const picker = page.getByRole('combobox', { name: 'Workflow' }).or(page.getByLabel('Workflow *'))
  await expect(picker.first()).toHaveValue('Is called')
  await expect(picker.first()).toBeDisabled()
})

test('a step that is looked for comes into sight, and the words that were typed stay', async ({ page }) => {
  const ann = await server.as('operator', 'ann')
  const steps = Array.from({ length: 120 }, (_, at) => ({
    id: `s${at}`,
    type: 'log',
    name: `Step ${at}`,
    state: { message: `message ${at}` },
  }))
  const { id } = await ann.api(workflows).create({ name: 'Long', draft: encodeDocument(sketch(steps)) })
  await enterAs(page, server, 'ann', `/cms/workflow/editor/${id}`)
  await settled(page)
  const find = page.getByLabel('Find a step')
  await find.fill('message 110')
  await find.press('Enter')
  await expect(page.getByRole('treeitem', { name: /Step 110/ })).toBeInViewport({ ratio: 1 })
  await expect(find).toBeFocused()
  await expect(find).toHaveValue('message 110')
})
