import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaigns } from '@weft/contract/campaigns/api'
import type { ClientOf } from '@weft/contract/core/client'
import { projects } from '@weft/contract/projects/api'
import { workflowTests } from '@weft/contract/workflow-tests/api'
import { workflows } from '@weft/contract/workflows/api'
import { workflowFile } from '@weft/contract/workflows/file'
import { encodeDocument } from '@weft/workflow/state-codec'
import { sketch } from '@weft/workflow/testing/builder'
import { codeOf } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let ann: TestPerson
let ben: TestPerson
let mine: ClientOf<typeof workflows>

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
  ben = await server.as('operator', 'ben')
  mine = ann.api(workflows)
})
afterAll(() => server.stop())

const names = async (input: Parameters<typeof mine.list>[0]) =>
  (await mine.list(input)).data.map(({ name }) => name).toSorted()

describe('folders', () => {
  test('keep what lies in them and below them, and are counted for whoever sees it', async () => {
    await mine.create({ name: 'loose' })
    const made = await mine.create({ name: 'daily', folder: ' Shop / Daily ' })
    expect(made.folder).toBe('Shop/Daily')
    await mine.create({ name: 'weekly', folder: 'Shop/Weekly' })
    await mine.create({ name: 'shopping', folder: 'Shopping' })
    await ben.api(workflows).create({ name: 'theirs', folder: 'Private' })
    expect(await names({ folder: 'Shop' })).toEqual(['daily', 'weekly'])
    expect(await names({ folder: 'Shop/Daily/' })).toEqual(['daily'])
    expect(await mine.folders({})).toEqual([
      { folder: 'Shop', count: 2 },
      { folder: 'Shop/Daily', count: 1 },
      { folder: 'Shop/Weekly', count: 1 },
      { folder: 'Shopping', count: 1 },
    ])
    const moved = await mine.update({ id: made.id, version: made.version, folder: '' })
    expect(moved.folder).toBe('')
    expect(await names({ folder: 'Shop' })).toEqual(['weekly'])
    expect(await codeOf(mine.create({ name: 'deep', folder: 'a/b/c/d/e/f/g' }))).toBe('request.invalid')
  })
})

test('a search finds what is written in the steps, and only what the caller may see; tags narrow it', async () => {
  const draft = encodeDocument(
    sketch([
      {
        id: 'turn',
        type: 'for-each',
        state: { items: 'inputs.rows' },
        bodies: {
          body: [
            { id: 'press', type: 'log', name: 'Press the anvil', state: { message: 'Ürümqi {{ item }}' } },
          ],
        },
      },
    ]),
  )
  const made = await mine.create({ name: 'plain', draft, tags: ['night', 'shop'] })
  expect(await names({ q: 'anvil' })).toEqual(['plain'])
  expect(await names({ q: 'ürümqi' })).toEqual(['plain'])
  expect((await ben.api(workflows).list({ q: 'anvil' })).totalRecord).toBe(0)
  expect(await names({ tags: 'night,shop' })).toEqual(['plain'])
  expect(await names({ tags: 'night,day' })).toEqual([])
  const without = encodeDocument(sketch([{ id: 'say', type: 'log', state: { message: 'nothing' } }]))
  await mine.update({ id: made.id, version: made.version, draft: without })
  expect(await names({ q: 'anvil' })).toEqual([])
})

describe('the trash', () => {
  test('gives a workflow back, without a project that is gone', async () => {
    const project = await ann.api(projects).create({ name: 'Short' })
    const made = await mine.create({ name: 'thrown', projectId: project.id })
    await mine.remove({ id: made.id })
    await ann.api(projects).remove({ id: project.id })
    expect(await names({ trashed: 'true', q: 'thrown' })).toEqual(['thrown'])
    expect(await codeOf(ben.api(workflows).restore({ id: made.id }))).toBe('record.not_found')
    const back = await mine.restore({ id: made.id })
    expect(back).toMatchObject({ name: 'thrown', projectId: null })
    expect(await names({ trashed: 'true', q: 'thrown' })).toEqual([])
    expect(await codeOf(mine.restore({ id: made.id }))).toBe('record.not_found')
    const again = await ann.api(projects).restore({ id: project.id })
    expect(again).toMatchObject({ name: 'Short', status: 'active' })
  })

  test('gives a campaign back, unless another has its code by now', async () => {
    const api = ann.api(campaigns)
    const made = await api.create({ title: 'Autumn', code: 'autumn' })
    await api.remove({ id: made.id })
    const [thrown] = (await api.list({ trashed: 'true' })).data
    expect(thrown).toMatchObject({ id: made.id, can: ['restore'] })
    const other = await api.create({ title: 'Autumn again', code: 'autumn' })
    expect(await codeOf(api.restore({ id: made.id }))).toBe('record.duplicate')
    await api.remove({ id: other.id })
    expect(await api.restore({ id: made.id })).toMatchObject({ code: 'autumn', state: 'draft' })
    const { rows } = await server.deps.db.execute(
      sql`select label from audit where record_id = ${made.id} order by at, id`,
    )
    expect(rows.map(({ label }) => label)).toEqual(['campaign.create', 'campaign.delete', 'campaign.restore'])
  })
})

describe('a release', () => {
  const said = (message: string) => encodeDocument(sketch([{ id: 'say', type: 'log', state: { message } }]))
  const publish = async (id: string, message: string) => {
    const { version } = await mine.get({ id })
    const saved = await mine.update({ id, version, draft: said(message) })
    return mine.publish({ id, version: saved.version })
  }

  test('that is withdrawn is no longer the newest, its number is not given again, and it can be offered again', async () => {
    const { id } = await mine.create({ name: 'versions' })
    await publish(id, 'one')
    await publish(id, 'two')
    const gone = await mine.withdraw({ id, number: 2, withdrawn: true })
    expect(gone.withdrawnAt).not.toBeNull()
    expect(await mine.get({ id })).toMatchObject({ publishedRelease: 1, hasUnpublishedChanges: true })
    expect((await publish(id, 'three')).number).toBe(3)
    await mine.withdraw({ id, number: 2, withdrawn: false })
    expect((await mine.get({ id })).publishedRelease).toBe(3)
    expect(await codeOf(mine.withdraw({ id, number: 9, withdrawn: true }))).toBe('record.not_found')
    expect(await codeOf(ben.api(workflows).withdraw({ id, number: 1, withdrawn: true }))).toBe(
      'record.not_found',
    )
    await expect(
      server.deps.db.execute(sql`update workflow_release set changelog = 'x' where workflow_id = ${id}`),
    ).rejects.toThrow()
  })

  test('stays while another workflow needs it, by its number or as the only one', async () => {
    const called = await mine.create({ name: 'called' })
    await publish(called.id, 'one')
    const caller = await mine.create({
      name: 'caller',
      draft: encodeDocument(
        sketch([{ id: 'go', type: 'call-workflow', state: { workflowId: called.id, release: 1 } }]),
      ),
    })
    await mine.publish({ id: caller.id, version: caller.version })
    const refused = { body: { code: 'workflow.release_needed', params: { names: 'caller' } } }
    await expect(mine.withdraw({ id: called.id, number: 1, withdrawn: true })).rejects.toMatchObject(refused)
    await publish(called.id, 'two')
    await expect(mine.withdraw({ id: called.id, number: 1, withdrawn: true })).rejects.toMatchObject(refused)
    await mine.withdraw({ id: called.id, number: 2, withdrawn: true })
    expect(await mine.whereUsed({ id: called.id })).toEqual([
      { feature: 'workflows', id: caller.id, name: 'caller', blocks: true },
    ])
    expect(await codeOf(mine.remove({ id: called.id }))).toBe('record.in_use')
  })
})

test('a release is not published with a call of one that is being withdrawn', async () => {
  const called = await mine.create({
    name: 'called',
    draft: encodeDocument(sketch([{ id: 'say', type: 'log', state: { message: 'one' } }])),
  })
  await mine.publish({ id: called.id, version: called.version })
  const state = { workflowId: called.id, release: 1 }
  const caller = await mine.create({
    name: 'caller',
    draft: encodeDocument(sketch([{ id: 'go', type: 'call-workflow', state }])),
  })
  const publish = await server.deps.db.transaction(async (tx) => {
    await tx.execute(sql`update workflow set published_release = null where id = ${called.id}`)
    await tx.execute(sql`update workflow_release set withdrawn_at = now() where workflow_id = ${called.id}`)
    const asked = codeOf(mine.publish({ id: caller.id, version: caller.version }))
    expect(await Promise.race([asked, setTimeout(150, 'waits')])).toBe('waits')
    return { asked }
  })
  expect(await publish.asked).toBe('workflow.invalid')
})

test('a workflow travels as text: the same steps under the same ids, its releases, and what is missing there', async () => {
  const draft = encodeDocument(
    sketch([{ id: 'first', type: 'log', name: 'Ürümqi', state: { message: '{{ project.shop }}' } }]),
  )
  const made = await mine.create({ name: 'Über alles', draft, tags: ['a'], folder: 'Shop', description: 'd' })
  const answer = await mine.export({ id: made.id })
  expect(answer.headers.get('content-disposition')).toContain('weft.json')
  const file = workflowFile.parse(JSON.parse(await answer.text()))
  const { workflowId, missing, releases } = await ben.api(workflows).import({ file })
  expect(missing).toEqual([expect.objectContaining({ kind: 'variable', name: 'shop' })])
  expect(releases).toBe(0)
  const copy = await ben.api(workflows).get({ id: workflowId })
  expect(copy).toMatchObject({
    name: 'Über alles',
    draft: made.draft,
    tags: ['a'],
    folder: 'Shop',
    description: 'd',
  })
  // Its tests come along, with new ids; a file that was written before there were any has none.
  const tests = ann.api(workflowTests)
  const kept = { inputs: { city: 'Oslo' }, expectedResult: 'succeeded' as const, expectations: [] }
  await tests.save({ workflowId: made.id, name: 'In Oslo', ...kept })
  const twin = await mine.create({ name: 'twin', draft, copyOf: made.id })
  const [own] = await tests.list({ workflowId: made.id })
  const [ofTwin] = await tests.list({ workflowId: twin.id })
  expect(ofTwin).toMatchObject({ name: 'In Oslo', ...kept })
  expect(ofTwin?.id).not.toBe(own?.id)
  expect(await codeOf(ben.api(workflows).create({ name: 'stolen', copyOf: made.id }))).toBe(
    'record.not_found',
  )
  const whole = workflowFile.parse(JSON.parse(await (await mine.export({ id: made.id })).text()))
  expect(whole.workflow.tests).toEqual([{ name: 'In Oslo', ...kept }])
  const again = await ben.api(workflows).import({ file: whole })
  expect(await ben.api(workflowTests).list({ workflowId: again.workflowId })).toMatchObject([
    { name: 'In Oslo' },
  ])
  const [one] = whole.workflow.tests
  if (!one) throw new Error('The file has no test.')
  const secret = [{ name: 'city', type: 'text', required: false, secret: true }]
  const hides = { ...whole.workflow, draft: { ...whole.workflow.draft, inputs: secret } }
  const hidden = await mine.import({ file: { ...whole, workflow: hides } })
  expect(await tests.list({ workflowId: hidden.workflowId })).toMatchObject([{ inputs: {} }])
  const twice = { ...whole, workflow: { ...whole.workflow, tests: [one, one] } }
  expect(await codeOf(mine.import({ file: twice }))).toBe('project.bad_file')
  const { tests: _tests, ...older } = file.workflow
  expect((await mine.import({ file: { ...file, workflow: older } })).releases).toBe(0)
  const broken = { ...file, workflow: { ...file.workflow, draft: { schemaVersion: 1 } } }
  expect(await codeOf(mine.import({ file: broken }))).toBe('project.bad_file')
  expect(
    await codeOf(
      ben
        .api(workflows)
        .export({ id: made.id })
        .then(() => null),
    ),
  ).toBe('record.not_found')
})
