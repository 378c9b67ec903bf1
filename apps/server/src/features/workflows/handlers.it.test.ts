import { sql } from 'drizzle-orm'
import { sample } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientOf } from '@weft/contract/core/client'
import { projects } from '@weft/contract/projects/api'
import { workflows } from '@weft/contract/workflows/api'
import type { WireDocument } from '@weft/contract/workflows/schema'
import { emptyDocument, type WorkflowDocument } from '@weft/workflow/document'
import type { JsonObject } from '@weft/workflow/json'
import { encodeDocument } from '@weft/workflow/state-codec'
import { randomDocument, tries } from '@weft/workflow/testing/random-edits'
import { newId } from '../../kit/record.ts'
import { codeOf } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { expectTablesMatch } from '../../testing/tables-match.ts'
import { campaign } from '../campaigns/table.ts'
import { project } from '../projects/table.ts'
import { workflow, workflowRelease } from './table.ts'

let server: TestServer
let ann: TestPerson
let mine: ClientOf<typeof workflows>

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
  mine = ann.api(workflows)
})
afterAll(() => server.stop())

/** A chain of steps, each leading to the next. */
function chain(...steps: { id: string; type: string; state: JsonObject }[]): WorkflowDocument {
  return {
    ...emptyDocument(),
    start: steps[0]?.id ?? null,
    activities: steps.map((step) => ({ ...step, typeVersion: 1 })),
    connections: steps.slice(1).map(({ id }, n) => ({ from: steps[n]?.id ?? '', outcome: 'done', to: id })),
  }
}
const wire = (document: WorkflowDocument): WireDocument => ({ ...encodeDocument(document) })
const logs = (text: string) => chain({ id: 'say', type: 'log', state: { message: text } })
const calls = (workflowId: string) => chain({ id: 'go', type: 'call-workflow', state: { workflowId } })

async function published(name: string, document = logs(name)) {
  const made = await mine.create({ name, draft: wire(document) })
  const release = await mine.publish({ id: made.id, version: made.version })
  return { id: made.id, release }
}

test('the tables are as the code knows them', () =>
  expectTablesMatch(server.deps.db, [workflow, workflowRelease, project]))

describe('a draft', () => {
  test('begins empty, with the problem that it is', async () => {
    const made = await mine.create({ name: 'New' })
    expect(made).toMatchObject({
      draft: wire(emptyDocument()),
      problems: [{ code: 'workflow.empty', severity: 'error' }],
      publishedRelease: null,
      hasUnpublishedChanges: true,
      activityCount: 0,
      can: ['update', 'delete', 'run', 'export', 'publish'],
    })
    expect(await mine.get({ id: made.id })).toEqual(made)
  })

  test('travels with states in base64 and is kept decoded', async () => {
    const draft = wire(logs('Grüße'))
    const { id, version } = await mine.create({ name: 'Greets', draft })
    expect((await mine.get({ id })).draft).toEqual(draft)
    const [row] = (
      await server.deps.db.execute(
        sql`select draft #>> '{activities,0,state,message}' as text from workflow where id = ${id}`,
      )
    ).rows
    expect(row).toEqual({ text: 'Grüße' })
    const saved = await mine.update({ id, version, draft: wire(logs('Bye')) })
    expect(saved).toMatchObject({ version: 2, problems: [], activityCount: 1 })
    expect(await codeOf(mine.update({ id, version, draft }))).toBe('record.stale')
  })

  test('with problems is saved; one that is not a document is refused, every fault named', async () => {
    const broken = chain({ id: 'odd', type: 'no-such-step', state: {} })
    const { id, problems } = await mine.create({ name: 'Odd', draft: wire(broken) })
    expect(problems).toMatchObject([{ code: 'workflow.unknown_activity', activityId: 'odd' }])
    const good = wire(logs('x'))
    const [step] = good.activities
    if (!step) throw new Error('no step')
    const refused = (draft: WireDocument) => mine.update({ id, version: 1, draft })
    await expect(refused({ ...good, activities: [{ ...step, state: '###' }] })).rejects.toMatchObject({
      httpStatus: 422,
      body: {
        code: 'workflow.bad_state',
        params: { activity: 'say' },
        errors: [{ path: 'draft.activities.0.state' }],
      },
    })
    for (const state of ['{"constructor":{}}', '{"message":"\\u0000"}', '{"message":"\\ud800"}'])
      expect(await codeOf(refused({ ...good, activities: [{ ...step, state: btoa(state) }] }))).toBe(
        'workflow.bad_state',
      )
    expect(await codeOf(refused({ ...good, more: true }))).toBe('request.invalid')
    expect(await codeOf(refused({ ...good, activities: [{ ...step, id: 'Not An Id' }] }))).toBe(
      'request.invalid',
    )
    const long = btoa(JSON.stringify({ message: 'x'.repeat(524_288) }))
    expect(await codeOf(refused({ ...good, activities: [{ ...step, state: long }] }))).not.toBe('no error')
    expect((await mine.get({ id })).version).toBe(1)
  })

  test('comes back from the database as it was, whatever is in it', async () => {
    const documents = sample(randomDocument(40), tries(1000))
    const { rows } = await server.deps.db.execute(
      sql`select ${JSON.stringify(documents)}::jsonb as documents`,
    )
    expect(rows).toEqual([{ documents }])
  })

  test('can be checked without being saved', async () => {
    expect(await mine.validate({ draft: wire(logs('fine')) })).toEqual([])
    const missing = chain({ id: 'open', type: 'open-page', state: {} })
    expect(await mine.validate({ draft: wire(missing) })).toMatchObject([
      { code: 'field.required', activityId: 'open', severity: 'error' },
    ])
  })

  test('knows the workflows that it calls: those that are there, may be seen, and do not lead back', async () => {
    const called = await published('Called')
    expect((await mine.create({ name: 'Caller', draft: wire(calls(called.id)) })).problems).toEqual([])
    const ben = (await server.as('operator', 'ben')).api(workflows)
    for (const workflowId of [called.id, newId()])
      expect((await ben.create({ name: 'Caller', draft: wire(calls(workflowId)) })).problems).toMatchObject([
        { code: 'workflow.call_unknown' },
      ])
    const self = await mine.create({ name: 'Self' })
    const round = await mine.update({ id: self.id, version: 1, draft: wire(calls(self.id)) })
    expect(round.problems).toMatchObject([{ code: 'workflow.call_cycle' }])
  })

  test('belongs to a project that one may see', async () => {
    const home = await ann.api(projects).create({ name: 'Home' })
    expect(await mine.create({ name: 'In it', projectId: home.id })).toMatchObject({
      projectId: home.id,
      projectName: 'Home',
    })
    expect(await codeOf(mine.create({ name: 'Nowhere', projectId: newId() }))).toBe('link.not_found')
    expect(await ann.api(projects).get({ id: home.id })).toMatchObject({
      workflowCount: 1,
      cannot: { delete: 'record.in_use' },
    })
    expect(await codeOf(ann.api(projects).remove({ id: home.id }))).toBe('record.in_use')
    expect((await mine.list({ projectId: home.id })).data).toMatchObject([{ name: 'In it' }])
  })

  test('of somebody else is as good as none', async () => {
    const { id } = await mine.create({ name: 'Private' })
    const ben = (await server.as('operator', 'ben')).api(workflows)
    expect(await codeOf(ben.get({ id }))).toBe('record.not_found')
    expect(await codeOf(ben.update({ id, version: 1, name: 'x' }))).toBe('record.not_found')
    expect(await codeOf(ben.publish({ id, version: 1 }))).toBe('record.not_found')
    expect(await codeOf(ben.releases({ id }))).toBe('record.not_found')
    expect(await codeOf(ben.remove({ id }))).toBe('record.not_found')
    const viewer = (await server.as('viewer')).api(workflows)
    expect(await codeOf(viewer.update({ id, version: 1, name: 'x' }))).toBe('access.denied')
  })
})

describe('publishing', () => {
  test('makes numbered releases that nobody can change', async () => {
    const made = await mine.create({ name: 'Grows', draft: wire(logs('one')) })
    const { id } = made
    const first = await mine.publish({ id, version: 1, changelog: 'The first' })
    expect(first).toMatchObject({ number: 1, changelog: 'The first', createdByName: 'ann', inUse: false })
    expect(await mine.get({ id })).toMatchObject({
      publishedRelease: 1,
      hasUnpublishedChanges: false,
      version: 1,
      cannot: { publish: 'workflow.nothing_to_publish' },
    })
    expect(await codeOf(mine.publish({ id, version: 1 }))).toBe('workflow.nothing_to_publish')
    await mine.update({ id, version: 1, draft: wire(logs('two')) })
    expect(await codeOf(mine.publish({ id, version: 1 }))).toBe('record.stale')
    expect((await mine.publish({ id, version: 2 })).number).toBe(2)
    expect((await mine.releases({ id })).data.map(({ number }) => number)).toEqual([2, 1])
    expect((await mine.release({ id, number: 1 })).document).toEqual(wire(logs('one')))
    expect(await codeOf(mine.release({ id, number: 3 }))).toBe('workflow.no_release')
    for (const attack of [
      sql`update workflow_release set changelog = 'x'`,
      sql`delete from workflow_release`,
    ])
      await expect(server.deps.db.execute(attack)).rejects.toThrow()
  })

  test('a document with mistakes is not published, and each is named; warnings are no mistakes', async () => {
    const { id } = await mine.create({ name: 'Wrong' })
    await expect(mine.publish({ id, version: 1 })).rejects.toMatchObject({
      httpStatus: 422,
      body: { code: 'workflow.invalid', errors: [{ code: 'workflow.empty' }] },
    })
    const unbounded = chain({ id: 'again', type: 'repeat-until', state: { condition: 'false' } })
    const looping = await mine.create({ name: 'Loops', draft: wire(unbounded) })
    const severities = new Set(looping.problems.map(({ severity }) => severity))
    expect(severities).toContain('error')
    expect(await codeOf(mine.publish({ id: looping.id, version: 1 }))).toBe('workflow.invalid')
  })

  test('of two at once, one makes the release', async () => {
    const { id } = await mine.create({ name: 'Race', draft: wire(logs('race')) })
    const codes = await Promise.all([1, 2].map(() => codeOf(mine.publish({ id, version: 1 }))))
    expect(new Set(codes)).toEqual(new Set(['no error', 'workflow.nothing_to_publish']))
  })

  test('needs the right to', async () => {
    const { id } = await mine.create({ name: 'Kept', draft: wire(logs('kept')) })
    const author = await server.withRules('author', [{ action: ['VIEW', 'UPDATE'], subject: 'WORKFLOW' }])
    expect(await codeOf(author.api(workflows).publish({ id, version: 1 }))).toBe('access.denied')
  })
})

describe('deleting', () => {
  test('puts a workflow into the trash, unless a campaign or another workflow needs it', async () => {
    const { id } = await published('Needed')
    const caller = await mine.create({ name: 'Needs it', draft: wire(calls(id)) })
    expect(await codeOf(mine.remove({ id }))).toBe('record.in_use')
    await mine.remove({ id: caller.id })
    const [made] = await server.deps.db
      .insert(campaign)
      .values({
        id: newId(),
        ownerId: ann.id,
        code: 'c',
        title: 'c',
        type: 'custom',
        workflowId: id,
        release: 1,
        pairing: {
          per: 'account',
          account: 'none',
          profile: 'none',
          proxy: 'none',
          phone: 'none',
          video: 'none',
        },
        schedule: { mode: 'now' },
        pacing: { maxParallel: null, perAccountPerDay: null, perDomainPerMinute: null, delaySeconds: 0 },
        errors: { attempts: 1, backoffSeconds: 0, stopAfter: null, stopAfterPercent: null },
      })
      .returning()
    expect((await mine.get({ id })).cannot).toMatchObject({ delete: 'record.in_use' })
    expect((await mine.releases({ id })).data).toMatchObject([{ number: 1, inUse: true }])
    expect(await codeOf(mine.remove({ id }))).toBe('record.in_use')
    await server.deps.db.execute(sql`update campaign set state = 'archived' where id = ${made?.id}`)
    await mine.remove({ id })
    expect(await codeOf(mine.get({ id }))).toBe('record.not_found')
    expect((await mine.list({ q: 'Needed' })).data).toEqual([])
  })
})

test('a listing tells what it still lacks, and what the release does', async () => {
  const draft = wire(chain({ id: 'open', type: 'open-page', state: { url: 'https://example.org/a' } }))
  const { id, version } = await mine.create({ name: 'For sale', draft })
  const gaps = async () => (await mine.sellOnMarket({ id })).missing.map(({ code }) => code)
  expect(await mine.sellOnMarket({ id })).toMatchObject({ ready: false, release: null, sheet: null })
  expect(await gaps()).toEqual(['no_description', 'no_icon', 'no_release', 'market_closed'])
  await mine.publish({ id, version })
  const saved = await mine.update({ id, version, description: 'Opens a page.', icon: 'world' })
  expect(await mine.sellOnMarket({ id })).toMatchObject({
    ready: true,
    release: 1,
    missing: [{ code: 'market_closed' }],
    sheet: { domains: ['example.org'], activities: ['open-page'], sideEffect: 'read' },
  })
  const { id: called } = await published('Called')
  await mine.update({ id, version: saved.version, draft: wire(calls(called)) })
  expect(await gaps()).toEqual(['unpublished_changes', 'market_closed'])
  const other = (await server.as('operator', 'bob')).api(workflows)
  expect(await codeOf(other.sellOnMarket({ id }))).toBe('record.not_found')
})
