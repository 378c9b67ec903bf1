import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { activities } from '@weft/contract/activities/api'
import { campaigns } from '@weft/contract/campaigns/api'
import { phones } from '@weft/contract/phones/api'
import { profiles } from '@weft/contract/profiles/api'
import { projects } from '@weft/contract/projects/api'
import { proxies } from '@weft/contract/proxies/api'
import { roles } from '@weft/contract/roles/api'
import { system } from '@weft/contract/system/api'
import { trash } from '@weft/contract/trash/api'
import { users } from '@weft/contract/users/api'
import { workflows } from '@weft/contract/workflows/api'
import { emptyDocument, type WorkflowDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { codeOf } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let ann: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
})
afterAll(() => server.stop())

const named = async (query: Parameters<ReturnType<typeof listOf>>[0] = {}, by = ann) =>
  (await listOf(by)({ perPage: 100, ...query })).data.map(({ kind, name }) => `${kind} ${name}`)
const listOf = (by: TestPerson) => by.api(trash).list

function oneStep(): WorkflowDocument {
  const say = { id: 'say', type: 'log', typeVersion: 1, state: { message: 'Hello' } }
  return { ...emptyDocument(), start: 'say', activities: [say] }
}

/** Throws one thing of each of several kinds away, the later after the earlier. */
async function throwAway(by: TestPerson, word: string) {
  const account = await by.api(accounts).create({ type: 'x', username: `${word}-account` })
  const other = await by.api(accounts).create({ type: 'x', username: `${word}-other` })
  const profile = await by.api(profiles).create({ name: `${word}-profile` })
  const phone = await by.api(phones).create({ phoneNumber: `+1415555${word === 'ann' ? '0132' : '0133'}` })
  const proxy = await by.api(proxies).create({ protocol: 'http', host: `${word}.example`, port: 80 })
  const project = await by.api(projects).create({ name: `${word}-project` })
  const workflow = await by.api(workflows).create({ name: `${word}-workflow` })
  const campaign = await by.api(campaigns).create({ title: `${word}-campaign` })
  await by.api(accounts).bulk({ selection: { ids: [account.id, other.id] }, action: 'delete' })
  await by.api(profiles).remove({ id: profile.id })
  await by.api(phones).remove({ id: phone.id })
  await by.api(proxies).remove({ id: proxy.id })
  await by.api(projects).remove({ id: project.id })
  await by.api(workflows).remove({ id: workflow.id })
  await by.api(campaigns).remove({ id: campaign.id })
  return { account, other, profile, project, workflow, campaign }
}

test('shows what was thrown away of every kind, the latest first, with who and until when; and takes it back', async () => {
  const thrown = await throwAway(ann, 'ann')
  const { data, totalRecord, totalPage } = await listOf(ann)({ perPage: 5 })
  expect([totalRecord, totalPage]).toEqual([8, 2])
  expect(data.map(({ kind }) => kind)).toEqual(['campaigns', 'workflows', 'projects', 'proxies', 'phones'])
  const rest = await listOf(ann)({ perPage: 5, page: 2 })
  expect(rest.data.map(({ kind }) => kind)).toEqual(['profiles', 'accounts', 'accounts'])
  expect(rest.data[0]).toMatchObject({
    id: `profiles:${thrown.profile.id}`,
    recordId: thrown.profile.id,
    name: 'ann-profile',
    deletedBy: { id: ann.id, name: 'ann' },
    can: ['restore', 'purge'],
  })
  expect([...data, ...rest.data].map(({ deletedBy }) => deletedBy?.name)).toEqual(Array(8).fill('ann'))
  // Nothing clears campaigns away by their age.
  expect(data[0]).toMatchObject({ name: 'ann-campaign', can: ['restore'], goesAt: null })
  const { deletedAt = '', goesAt } = rest.data[0] ?? {}
  expect(Date.parse(goesAt ?? '') - Date.parse(deletedAt)).toBe(30 * 86_400_000)
  expect((await listOf(ann)({ perPage: -1 })).data).toEqual([...data, ...rest.data])
  const oldest = await listOf(ann)({ perPage: 2, sortBy: 'deletedAt' })
  expect(oldest.data.map(({ kind }) => kind)).toEqual(['accounts', 'accounts'])
  expect(await ann.api(trash).kinds({})).toEqual(
    expect.arrayContaining([
      { kind: 'accounts', count: 2, more: false },
      { kind: 'videos', count: 0, more: false },
      { kind: 'campaigns', count: 1, more: false },
    ]),
  )
  expect(await named({ kind: ['projects', 'profiles'] })).toEqual([
    'projects ann-project',
    'profiles ann-profile',
  ])
  expect(await named({ q: 'ANN-wor' })).toEqual(['workflows ann-workflow'])
  await ann.api(workflows).restore({ id: thrown.workflow.id })
  await ann.api(accounts).purge({ id: thrown.other.id })
  expect(await named({ kind: ['workflows', 'accounts'] })).toEqual(['accounts ann-account'])
})

test('is of those who may take it back, and of nobody else', async () => {
  const dora = await server.as('operator', 'dora')
  await throwAway(dora, 'dora')
  expect((await named({}, dora)).every((line) => !line.includes('ann'))).toBe(true)
  const admin = await server.as('administrator')
  const seen = await named({}, admin)
  expect(seen).toEqual(expect.arrayContaining(['projects ann-project', 'projects dora-project']))
  expect(await named({ own: true }, admin)).toEqual([])
  expect(await named({ own: true }, dora)).toHaveLength(8)
  const viewer = await server.as('viewer')
  expect(await named({}, viewer)).toEqual([])
  expect(await viewer.api(trash).kinds({})).toEqual([])
  const some = await server.withRules('some', [
    { action: ['VIEW', 'DELETE'], subject: 'PROXY' },
    { action: 'VIEW', subject: 'ACCOUNT' },
  ])
  expect((await named({}, some)).map((line) => line.split(' ')[0])).toEqual(['proxies', 'proxies'])
  expect(await codeOf(listOf(some)({ sortBy: 'name' } as never))).toBe('request.invalid')
})

test('a record that nobody threw away by itself says nothing of who', async () => {
  const made = await ann.api(profiles).create({ name: 'swept away' })
  await server.deps.db.execute(sql`update profile set deleted_at = now() where id = ${made.id}`)
  const { data } = await listOf(ann)({ q: 'swept' })
  expect(data).toMatchObject([{ name: 'swept away', deletedBy: null }])
})

test('its page is for whoever may take back anything at all', async () => {
  const pageOf = async (by: TestPerson) =>
    (await by.api(system).config({})).routes
      .flatMap(({ children }) => children ?? [])
      .find(({ path }) => path === '/cms/resource/trash')
  expect((await pageOf(ann))?.meta.resource).toBe('ACCOUNT')
  const some = await server.withRules('sweeper', [{ action: ['VIEW', 'DELETE'], subject: 'PROXY' }])
  expect((await pageOf(some))?.meta).toMatchObject({ resource: 'PROXY', action: 'DELETE' })
  expect(await pageOf(await server.as('viewer', 'looker'))).toBeUndefined()
})

test('what is in a project that is closed cannot come back until it is opened', async () => {
  const kay = await server.as('operator', 'kay')
  const api = kay.api(projects)
  const { id } = await api.create({ name: 'closing' })
  const { id: workflowId } = await kay.api(workflows).create({ name: 'inside', projectId: id })
  await kay.api(workflows).remove({ id: workflowId })
  const shown = async () => (await listOf(kay)({})).data.map(({ name, can }) => [name, ...can])
  expect(await shown()).toEqual([['inside', 'restore']])
  await server.deps.db.execute(sql`update project set status = 'frozen' where id = ${id}`)
  expect(await shown()).toEqual([['inside']])
})

test('what keeps something in the trash for good is no promise of a day', async () => {
  const lea = await server.as('operator', 'lea')
  const { id } = await lea
    .api(workflows)
    .create({ name: 'Published', draft: { ...encodeDocument(oneStep()) } })
  await lea.api(workflows).publish({ id, version: 1 })
  await lea.api(workflows).remove({ id })
  const other = await lea.api(workflows).create({ name: 'Never published' })
  await lea.api(workflows).remove({ id: other.id })
  expect((await listOf(lea)({})).data).toMatchObject([
    { name: 'Never published', goesAt: expect.any(String) },
    { name: 'Published', goesAt: null },
  ])
})

test('an activity comes back by its own conditions, and not into a project that is closed', async () => {
  const admin = await server.as('administrator', 'maker')
  const mia = await server.withRules('mia', [
    { action: ['VIEW', 'CREATE'], subject: 'ACTIVITY' },
    { action: ['UPDATE', 'DELETE'], subject: 'ACTIVITY', conditions: { ownerId: '${user.id}' } },
  ])
  const theirs = await admin.api(activities).create({ name: 'Theirs', category: 'flow' })
  const own = await mia.api(activities).create({ name: 'Mine', category: 'flow' })
  expect([theirs.can, own.can]).toEqual([
    ['update', 'delete'],
    ['update', 'delete'],
  ])
  expect((await mia.api(activities).get({ id: theirs.id })).can).toEqual([])
  const denied = [
    mia.api(activities).remove({ id: theirs.id }),
    mia.api(activities).update({ id: theirs.id, version: 1, name: 'Taken' }),
  ]
  expect(await Promise.all(denied.map(codeOf))).toEqual(['access.denied', 'access.denied'])
  // Thrown away as a workflow, it is still told who did it.
  await admin.api(workflows).remove({ id: theirs.id })
  await mia.api(activities).remove({ id: own.id })
  expect((await listOf(admin)({ kind: ['activities'], q: 'theirs' })).data).toMatchObject([
    { name: 'Theirs', deletedBy: { id: admin.id } },
  ])
  expect(await codeOf(mia.api(activities).restore({ id: theirs.id }))).toBe('access.denied')
  await mia.api(activities).restore({ id: own.id })
  await admin.api(activities).restore({ id: theirs.id })

  const { id: projectId } = await admin.api(projects).create({ name: 'around it' })
  await admin.api(workflows).update({
    id: theirs.id,
    version: (await admin.api(workflows).get({ id: theirs.id })).version,
    projectId,
  })
  await admin.api(activities).remove({ id: theirs.id })
  const status = (to: string) =>
    server.deps.db.execute(sql`update project set status = ${to} where id = ${projectId}`)
  await status('frozen')
  expect((await listOf(admin)({ kind: ['activities'], q: 'theirs' })).data).toMatchObject([{ can: [] }])
  expect(await codeOf(admin.api(activities).restore({ id: theirs.id }))).toBe('project.frozen')
  await status('active')
  await admin.api(projects).remove({ id: projectId })
  await admin.api(activities).restore({ id: theirs.id })
  expect((await admin.api(workflows).get({ id: theirs.id })).projectId).toBeNull()
})

test('people, roles and activities made of steps come back by their own rules', async () => {
  const admin = await server.as('administrator', 'keeper')
  const roleOf = (name: string, subject: 'PROXY' | 'VIDEO') =>
    admin.api(roles).create({ name, description: '', rules: [{ action: ['VIEW', 'DELETE'], subject }] })
  const own = await roleOf('Own role', 'PROXY')
  const wide = await roleOf('Wide role', 'VIDEO')
  const person = await server.as('administrator', 'gone')
  const activity = await admin.api(activities).create({ name: 'Own step', category: 'flow' })
  for (const { id } of [own, wide]) await admin.api(roles).remove({ id })
  await admin.api(users).remove({ id: person.id })
  await admin.api(activities).remove({ id: activity.id })
  const kind = ['users', 'roles', 'activities'] as const
  const shown = async (by: TestPerson) =>
    (await listOf(by)({ kind: [...kind] })).data.map(({ kind: of, name, can }) =>
      [of, name, ...can].join(' '),
    )
  expect(await shown(admin)).toEqual([
    'activities Own step restore',
    'users gone restore',
    'roles Wide role restore',
    'roles Own role restore',
  ])
  const some = await server.withRules('tidy', [
    { action: ['VIEW', 'DELETE'], subject: 'USER' },
    { action: ['VIEW', 'DELETE'], subject: 'ROLE' },
    { action: ['VIEW', 'DELETE'], subject: 'PROXY' },
  ])
  // What allows more than they may do themselves stays.
  expect(await shown(some)).toEqual(['users gone', 'roles Wide role', 'roles Own role restore'])
  expect(await shown(ann)).toEqual([])
  expect(await codeOf(some.api(activities).restore({ id: activity.id }))).toBe('access.denied')
  expect(await codeOf(some.api(users).restore({ id: person.id }))).toBe('user.beyond_own')
  expect(await codeOf(some.api(roles).restore({ id: wide.id }))).toBe('role.beyond_own')
  expect(await admin.api(activities).restore({ id: activity.id })).toMatchObject({ name: 'Own step' })
  expect(await codeOf(admin.api(activities).restore({ id: activity.id }))).toBe('record.not_found')
  await admin.api(users).restore({ id: person.id })
  expect(await shown(admin)).toEqual(['roles Wide role restore', 'roles Own role restore'])
})

test('a kind of limited number comes back only while there is room', async () => {
  const zoe = await server.withRules('zoe', [
    { action: ['VIEW', 'CREATE', 'DELETE'], subject: 'USER' },
    { action: ['VIEW', 'CREATE', 'DELETE'], subject: 'PROXY' },
  ])
  const limit = (kind: string) =>
    server.deps.db.execute(
      sql`insert into user_quota (user_id, kind, max_count) values (${zoe.id}, ${kind}, 1)`,
    )
  await limit('users')
  await limit('proxies')
  const make = async (word: string) => ({
    person: (await zoe.api(users).create({ username: `zoe-${word}`, roles: [] })).user.id,
    proxy: (await zoe.api(proxies).create({ protocol: 'http', host: `${word}.example`, port: 80 })).id,
  })
  const first = await make('first')
  await zoe.api(users).remove({ id: first.person })
  await zoe.api(proxies).remove({ id: first.proxy })
  const second = await make('second')
  expect(await codeOf(zoe.api(users).restore({ id: first.person }))).toBe('quota.exceeded')
  expect(await codeOf(zoe.api(proxies).restore({ id: first.proxy }))).toBe('quota.exceeded')
  await zoe.api(users).remove({ id: second.person })
  await zoe.api(users).restore({ id: first.person })
})
