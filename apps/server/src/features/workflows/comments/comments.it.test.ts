import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notifications } from '@weft/contract/notifications/api'
import { projects } from '@weft/contract/projects/api'
import { tokens } from '@weft/contract/access/api'
import { clientOf } from '@weft/contract/core/client'
import { viewing } from '@weft/contract/viewing/api'
import { workflowComments } from '@weft/contract/workflow-comments/api'
import { workflows } from '@weft/contract/workflows/api'
import { emptyDocument, type WorkflowDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { newId } from '../../../kit/record.ts'
import { codeOf } from '../../../testing/browser.ts'
import type { TestPerson } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { namesIn } from './mentions.ts'
import { renamedSteps } from './renamed.ts'

let server: TestServer
let ann: TestPerson
let ben: TestPerson
/** May see no workflow but their own. */
let cut: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
  ben = await server.withRules('ben', [{ action: ['VIEW'], subject: 'WORKFLOW' }])
  cut = await server.withRules('cut', [
    { action: ['VIEW'], subject: 'WORKFLOW', conditions: { ownerId: '${user.id}' } },
  ])
})
afterAll(() => server.stop())

function steps(...ids: string[]): WorkflowDocument {
  return {
    ...emptyDocument(),
    start: ids[0] ?? null,
    activities: ids.map((id) => ({
      id,
      type: 'log',
      typeVersion: 1,
      name: `The ${id}`,
      state: { message: id },
    })),
    connections: ids.slice(1).map((id, n) => ({ from: ids[n] ?? '', outcome: 'done', to: id })),
  }
}
const wire = (document: WorkflowDocument) => ({ ...encodeDocument(document) })
const made = (...ids: string[]) =>
  ann.api(workflows).create({ name: 'Talked about', draft: wire(steps(...ids)) })
const comments = (person: TestPerson) => person.api(workflowComments)
/** What somebody was told about comments and has not read. */
const told = async (person: TestPerson) =>
  (await person.api(notifications).list({ unread: true })).data.flatMap(({ kind, params, recordId }) =>
    kind.startsWith('workflow.') ? [{ kind, by: params['by'], recordId }] : [],
  )

describe('a thread', () => {
  test('is on a step or on the whole, is answered, resolved and opened again, and makes no version', async () => {
    const { id: workflowId, version } = await made('say', 'more')
    const thread = await comments(ben).add({ workflowId, activityId: 'say', text: 'Why?\n\nReally.  ' })
    expect(thread).toMatchObject({
      activityId: 'say',
      activity: { type: 'log', name: 'The say' },
      text: 'Why?\n\nReally.',
      author: { username: 'ben' },
      can: ['edit', 'delete'],
      unread: false,
    })
    await comments(ann).add({ workflowId, text: 'On all of it' })
    expect(await comments(ann).summary({ workflowId })).toEqual({
      places: [
        { activityId: null, open: 1, unread: 0 },
        { activityId: 'say', open: 1, unread: 1 },
      ],
      open: 2,
      unread: 1,
    })
    const answered = await comments(ann).reply({ id: thread.id, text: 'Because' })
    expect(answered).toMatchObject({ replyCount: 1, replies: [{ text: 'Because' }], can: ['delete'] })
    const resolved = await comments(ben).resolve({ id: thread.id, resolved: true })
    expect(resolved.resolvedBy).toMatchObject({ username: 'ben' })
    expect((await comments(ben).resolve({ id: thread.id, resolved: true })).resolvedAt).toBe(
      resolved.resolvedAt,
    )
    const list = (state: 'open' | 'resolved') => comments(ben).list({ workflowId, state })
    expect((await list('resolved')).data.map(({ id }) => id)).toEqual([thread.id])
    expect((await list('open')).data.map(({ text }) => text)).toEqual(['On all of it'])
    // An answer opens it again.
    expect((await comments(ann).reply({ id: thread.id, text: 'One more' })).resolvedAt).toBeNull()
    expect((await ann.api(workflows).get({ id: workflowId })).version).toBe(version)
    const { rows } = await server.deps.db.execute(
      sql`select label from audit where record_id = ${workflowId} order by id`,
    )
    expect(rows.map(({ label }) => label)).toEqual([
      'workflow.create',
      'workflow.comment',
      'workflow.comment',
      'workflow.comment_reply',
      'workflow.comment_resolve',
      'workflow.comment_reply',
    ])
  })

  test('whose step is gone is kept, and follows a step that only has another id', async () => {
    const { id, version } = await made('say', 'other', 'last')
    for (const activityId of ['say', 'other', null])
      await comments(ben).add({ workflowId: id, activityId, text: `on ${activityId}` })
    const draft = wire({
      ...steps('say2', 'last'),
      activities: steps('say', 'last').activities.map((step) =>
        step.id === 'say' ? { ...step, id: 'say2' } : step,
      ),
    })
    await ann.api(workflows).update({ id, version, draft })
    const placed = async (place: 'step' | 'workflow' | 'removed') =>
      (await comments(ben).list({ workflowId: id, place })).data.map(({ activityId }) => activityId)
    expect(await placed('removed')).toEqual(['other'])
    expect(await placed('step')).toEqual(['other', 'say2'])
    expect(await placed('workflow')).toEqual([null])
    expect((await comments(ben).list({ workflowId: id, activityId: 'say2' })).totalRecord).toBe(1)
  })

  test('comes a page at a time, its answers too', async () => {
    const { id: workflowId } = await made('say')
    const [first, ...others] = await Promise.all(
      ['a', 'b', 'c'].map((text) => comments(ben).add({ workflowId, text })),
    )
    if (!first) throw new Error('nothing was said')
    for (let n = 1; n <= 12; n += 1) await comments(ben).reply({ id: first.id, text: `answer ${n}` })
    const page = await comments(ann).list({ workflowId, perPage: 1 })
    expect(page).toMatchObject({ totalRecord: 1 + others.length, totalPage: 3 })
    expect(page.data[0]).toMatchObject({ id: first.id, replyCount: 12 })
    expect(page.data[0]?.replies.map(({ text }) => text)).toEqual(
      Array.from({ length: 10 }, (_, n) => `answer ${n + 3}`),
    )
    const answers = await comments(ann).replies({ id: first.id, perPage: 5, page: 3 })
    expect(answers).toMatchObject({ totalRecord: 12 })
    expect(answers.data.map(({ text }) => text)).toEqual(['answer 11', 'answer 12'])
  })

  test('goes with its workflow, and into no copy and no file', async () => {
    const { id: projectId } = await ann.api(projects).create({ name: 'Talk' })
    const { id } = await ann.api(workflows).create({ name: 'W', projectId, draft: wire(steps('say')) })
    const thread = await comments(ann).add({ workflowId: id, text: 'secret talk' })
    const { rows } = await server.deps.db.execute(
      sql`select draft::text as text from workflow where id = ${id}`,
    )
    expect(JSON.stringify(rows)).not.toContain('secret talk')
    await ann.api(workflows).remove({ id })
    expect(await codeOf(comments(ann).get({ id: thread.id }))).toBe('record.not_found')
    await server.deps.db.execute(sql`delete from workflow where id = ${id}`)
    const left = await server.deps.db.execute(sql`select 1 from workflow_comment where workflow_id = ${id}`)
    expect(left.rows).toEqual([])
  })
})

describe('a comment', () => {
  test('is changed and deleted by its author, on the version that they saw', async () => {
    const { id: workflowId } = await made('say')
    const { id, version } = await comments(ben).add({ workflowId, text: 'First' })
    expect(await codeOf(comments(ann).edit({ id, version, text: 'Mine now' }))).toBe('access.denied')
    const edited = await comments(ben).edit({ id, version, text: 'Second' })
    expect(edited).toMatchObject({ text: 'Second', version: version + 1 })
    expect(edited.editedAt).not.toBeNull()
    expect(await codeOf(comments(ben).edit({ id, version, text: 'Third' }))).toBe('record.stale')
    expect(await codeOf(comments(ben).remove({ id, version }))).toBe('record.stale')
    const mine = await comments(ann).add({ workflowId, text: 'Mine' })
    expect(await codeOf(comments(ben).remove({ id: mine.id, version: 1 }))).toBe('access.denied')
    // Whoever may delete the workflow may delete what is said about it.
    await comments(ann).remove({ id, version: version + 1 })
    expect(await codeOf(comments(ben).get({ id }))).toBe('record.not_found')
  })

  test('that was answered leaves its place, until its last answer goes', async () => {
    const { id: workflowId } = await made('say')
    const { id, version } = await comments(ben).add({ workflowId, text: 'Wrong' })
    const { replies } = await comments(ann).reply({ id, text: 'An answer' })
    await comments(ben).remove({ id, version })
    expect(await comments(ann).get({ id })).toMatchObject({ text: '', deleted: true, can: [], replyCount: 1 })
    expect(await codeOf(comments(ben).edit({ id, version: version + 1, text: 'x' }))).toBe('record.not_found')
    await comments(ann).remove({ id: replies[0]?.id ?? '', version: 1 })
    expect(await codeOf(comments(ann).get({ id }))).toBe('record.not_found')
  })

  test('is unread for others until they look', async () => {
    const { id: workflowId } = await made('say')
    await comments(ann).add({ workflowId, text: 'News' })
    const unread = async (person: TestPerson) => (await comments(person).summary({ workflowId })).unread
    expect([await unread(ann), await unread(ben)]).toEqual([0, 1])
    expect(await comments(ben).seen({ workflowId })).toEqual({ changed: 1 })
    expect(await comments(ben).seen({ workflowId })).toEqual({ changed: 0 })
    expect(await unread(ben)).toBe(0)
    await comments(ann).add({ workflowId, text: 'More' })
    const { data } = await comments(ben).list({ workflowId })
    expect(data.map((one) => one.unread)).toEqual([true, false])
  })

  test('is refused without words, with too many, and with a wrong step', async () => {
    const { id: workflowId } = await made('say')
    for (const input of [
      { text: '   ' },
      { text: 'x'.repeat(4001) },
      { text: 'x', activityId: '' },
      { text: 'x', activityId: 'y'.repeat(65) },
    ])
      expect(await codeOf(comments(ann).add({ workflowId, ...input }))).toBe('request.invalid')
  })

  test('of somebody else’s workflow is as good as none', async () => {
    const { id: workflowId } = await made('say')
    const { id } = await comments(ann).add({ workflowId, text: 'Ours' })
    const tries = [
      comments(cut).list({ workflowId }),
      comments(cut).get({ id }),
      comments(cut).replies({ id }),
      comments(cut).summary({ workflowId }),
      comments(cut).people({ workflowId }),
      comments(cut).add({ workflowId, text: 'x' }),
      comments(cut).reply({ id, text: 'x' }),
      comments(cut).edit({ id, version: 1, text: 'x' }),
      comments(cut).remove({ id, version: 1 }),
      comments(cut).resolve({ id, resolved: true }),
      comments(cut).seen({ workflowId }),
      comments(ann).reply({ id: newId(), text: 'x' }),
    ]
    expect(await Promise.all(tries.map(codeOf))).toEqual(tries.map(() => 'record.not_found'))
  })

  test('is written by people: not by their tokens, and not by who looks on as them', async () => {
    const { id: workflowId } = await made('say')
    const { secret } = await ann
      .api(tokens)
      .create({ name: 'a program', scopes: [{ subject: 'WORKFLOW', actions: ['VIEW'] }], days: 1 })
    const headers = () => ({ authorization: `Bearer ${secret}` })
    const program = clientOf({ baseUrl: server.url, headers }, workflowComments)
    expect(await codeOf(program.add({ workflowId, text: 'x' }))).toBe('auth.not_by_token')
    const thread = await comments(ann).add({ workflowId, text: 'Ann' })
    expect((await program.get({ id: thread.id })).can).toEqual([])
    const root = await server.as('administrator', 'root')
    await root.api(viewing).start({ id: ann.id, reason: 'A question' })
    expect(await codeOf(comments(root).add({ workflowId, text: 'x' }))).toBe('access.viewing_as')
    expect((await comments(root).get({ id: thread.id })).can).toEqual([])
    await root.api(viewing).stop({})
  })
})

describe('a mention', () => {
  test('tells those who may see the workflow, and nobody else', async () => {
    const { id: workflowId } = await made('say')
    const before = { ben: await told(ben), cut: await told(cut) }
    const text = 'Look, @BEN. Also @cut, @nobody, @ann and mail@ben.example'
    const thread = await comments(ann).add({ workflowId, text })
    expect(thread.mentions.map(({ username }) => username)).toEqual(['ben'])
    expect((await told(ben)).length).toBe(before.ben.length + 1)
    expect((await told(ben))[0]).toEqual({ kind: 'workflow.mentioned', by: 'ann', recordId: workflowId })
    expect(await told(cut)).toEqual(before.cut)
    // A change tells only those who are named anew.
    await ben.api(notifications).read({})
    await comments(ann).edit({ id: thread.id, version: 1, text: `${text}!` })
    expect(await told(ben)).toEqual([])
  })

  test('is offered of those who may see the workflow, and of nobody who is gone', async () => {
    const { id: workflowId } = await made('say')
    const names = async (q: string) =>
      (await comments(ann).people({ workflowId, q })).map(({ username }) => username)
    expect(await names('be')).toEqual(['ben'])
    expect(await names('cut')).toEqual([])
    expect(await names('%')).toEqual([])
    expect(await names('')).not.toContain('ann')
    const gone = await server.withRules('gone', [{ action: ['VIEW'], subject: 'WORKFLOW' }])
    const thread = await comments(gone).add({ workflowId, text: 'Farewell' })
    await server.deps.db.execute(
      sql`update app_user set deleted_at = now(), status = 'suspended' where id = ${gone.id}`,
    )
    expect(await names('gone')).toEqual([])
    expect((await comments(ann).reply({ id: thread.id, text: '@gone?' })).replies[0]?.mentions).toEqual([])
    expect((await comments(ann).get({ id: thread.id })).author).toMatchObject({ username: 'gone' })
    expect(await told(ann)).toEqual([])
  })

  test('or an answer tells who takes part', async () => {
    const { id: workflowId } = await made('say')
    const { id } = await comments(ann).add({ workflowId, text: 'A question' })
    await comments(ben).reply({ id, text: 'An answer' })
    expect(await told(ann)).toEqual([{ kind: 'workflow.replied', by: 'ben', recordId: workflowId }])
    await ann.api(notifications).read({})
  })

  test('is found in a text', () => {
    expect(namesIn('@ann, (@Ben) and @c.d. x@y @é-1')).toEqual(['ann', 'ben', 'c.d.', 'c.d', 'é-1'])
  })
})

test('a step that has another id is told from one that is gone', () => {
  const [a, b, c] = steps('a', 'b', 'c').activities
  if (!a || !b || !c) throw new Error('there are three')
  const of = (...activities: (typeof a)[]) => ({ ...emptyDocument(), activities })
  expect(renamedSteps(of(a, b), of({ ...a, id: 'x' }, c))).toEqual(new Map([['a', 'x']]))
  // Two that are alike are not told apart.
  expect(renamedSteps(of(a), of({ ...a, id: 'x' }, { ...a, id: 'y' }))).toEqual(new Map())
})
