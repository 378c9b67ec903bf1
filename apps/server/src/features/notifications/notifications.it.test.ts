import { afterAll, beforeAll, expect, it } from 'vitest'
import { access, recovery, twoSteps } from '@weft/contract/access/api'
import { accessRequests } from '@weft/contract/access-requests/api'
import { notifications } from '@weft/contract/notifications/api'
import { roles } from '@weft/contract/roles/api'
import { users } from '@weft/contract/users/api'
import { refusal, testBrowser } from '../../testing/browser.ts'
import { TEST_PASSWORD, type TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { clearOnce } from '../../plugins/housekeeping.ts'
import { lookOut } from './look-out.ts'
import { notify, notifyEveryone } from './notify.ts'

let server: TestServer
let admin: TestPerson
let ann: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('administrator')
  ann = await server.as('viewer', 'ann')
})
afterAll(() => server.stop())

const listOf = async (person: TestPerson) => (await person.api(notifications).list({})).data
const kindsOf = async (person: TestPerson) => (await listOf(person)).map(({ kind }) => kind)
const unreadOf = async (person: TestPerson) => (await person.api(notifications).unread({})).count
const tell = (to: string, id = '01900000-0000-7000-8000-000000000001') =>
  server.deps.db.transaction((tx) =>
    notify(tx, to, {
      kind: 'item.uncertain',
      params: { campaign: 'Spring' },
      about: { feature: 'campaigns', id },
    }),
  )

it('keeps unread ones about the same record as one with a count, and begins anew once they were read', async () => {
  const bea = await server.as('viewer', 'bea')
  await tell(bea.id)
  await tell(bea.id)
  await tell(bea.id, '01900000-0000-7000-8000-000000000002')
  const two = await listOf(bea)
  expect(two.map(({ count, params, readAt }) => ({ count, params, readAt }))).toEqual([
    { count: 1, params: { campaign: 'Spring' }, readAt: null },
    { count: 2, params: { campaign: 'Spring' }, readAt: null },
  ])
  expect(await unreadOf(bea)).toBe(2)
  const [first] = two
  expect(await bea.api(notifications).read({ only: [first?.id ?? ''] })).toEqual({ changed: 1 })
  expect((await bea.api(notifications).list({ unread: true })).totalRecord).toBe(1)
  expect(await bea.api(notifications).read({})).toEqual({ changed: 1 })
  await tell(bea.id)
  expect((await listOf(bea)).map(({ count }) => count)).toEqual([1, 1, 2])
})

it('shows and changes nobody else’s', async () => {
  await tell(ann.id, '01900000-0000-7000-8000-00000000000a')
  const [own] = await listOf(ann)
  const cleo = await server.as('operator', 'cleo')
  expect(await listOf(cleo)).toEqual([])
  expect(await cleo.api(notifications).read({ only: [own?.id ?? ''] })).toEqual({ changed: 0 })
  expect((await listOf(ann))[0]).toMatchObject({ id: own?.id, readAt: null })
  expect((await refusal(server.anonymous.api(notifications).list({}))).httpStatus).toBe(401)
})

it('tells nothing of what was rolled back', async () => {
  const dora = await server.as('viewer', 'dora')
  const work = server.deps.db.transaction(async (tx) => {
    await notify(tx, dora.id, { kind: 'twoSteps.reset', params: { by: 'x' } })
    throw new Error('rolled back')
  })
  await expect(work).rejects.toThrow('rolled back')
  expect(await listOf(dora)).toEqual([])
})

it('leaves out who muted the kind; what concerns one’s safety cannot be muted', async () => {
  const eve = await server.as('viewer', 'eve')
  expect(await eve.api(notifications).mute({ kind: 'maintenance.announced', muted: true })).toEqual({
    kinds: ['maintenance.announced'],
  })
  const at = new Date().toISOString()
  await server.deps.db.transaction((tx) =>
    notifyEveryone(tx, { kind: 'maintenance.announced', params: { at } }),
  )
  expect(await kindsOf(eve)).toEqual([])
  expect(await kindsOf(admin)).toContain('maintenance.announced')
  await eve.api(notifications).mute({ kind: 'maintenance.announced', muted: false })
  expect((await eve.api(notifications).muted({})).kinds).toEqual([])
  expect((await refusal(eve.api(notifications).mute({ kind: 'role.changed', muted: true }))).code).toBe(
    'record.wrong_state',
  )
})

it('tells a person what was done about their way in and their rights', async () => {
  const fay = await server.as('viewer', 'fay')
  await admin.api(recovery).handOut({ id: fay.id })
  await admin.api(twoSteps).reset({ id: fay.id })
  const { version } = await admin.api(users).get({ id: fay.id })
  await admin.api(users).update({ id: fay.id, version, roles: ['operator'] })
  const browser = testBrowser(server.url)
  await browser.signIn('fay', TEST_PASSWORD)
  const told = await browser.api(notifications).list({})
  expect(told.data.map(({ kind, params }) => [kind, params])).toEqual([
    ['signIn.newDevice', expect.objectContaining({ address: '127.0.0.1' })],
    ['role.changed', expect.objectContaining({ by: 'administrator' })],
    ['twoSteps.reset', { by: 'administrator' }],
    ['password.linkHandedOut', { by: 'administrator' }],
  ])
  const again = testBrowser(server.url)
  await again.signIn('fay', TEST_PASSWORD)
  expect((await again.api(notifications).unread({})).count).toBe(4)
  expect((await again.api(access).info({})).user.roles).toEqual(['operator'])
})

it('tells who has a role when it comes to allow something else, and nobody when only its name changes', async () => {
  const mia = await server.as('viewer', 'mia')
  const role = await admin
    .api(roles)
    .create({ name: 'Desk', rules: [{ action: 'VIEW', subject: 'PROJECT' }] })
  const { version } = await admin.api(users).get({ id: mia.id })
  await admin.api(users).update({ id: mia.id, version, roles: [role.key] })
  await mia.api(notifications).read({})
  await admin.api(roles).update({ id: role.id, version: 1, name: 'Front desk' })
  expect((await mia.api(notifications).unread({})).count).toBe(0)
  await admin.api(roles).update({
    id: role.id,
    version: 2,
    rules: [{ action: ['VIEW', 'CREATE'], subject: 'PROJECT' }],
  })
  const [told] = (await mia.api(notifications).list({})).data
  expect(told).toMatchObject({
    kind: 'role.rulesChanged',
    params: { by: 'administrator', role: 'Front desk' },
    readAt: null,
  })
})

it('tells an owner that a client fell silent and that it is back, each once', async () => {
  const gil = await server.as('operator', 'gil')
  const { pool, db } = server.deps
  await pool.query(
    `insert into client (id, owner_id, name, client_key, session_hash, last_seen_at)
     values (gen_random_uuid(), $1, 'Mill', 'c-mill', 'x', now() - interval '5 minutes')`,
    [gil.id],
  )
  await lookOut(db)
  await lookOut(db)
  expect(await kindsOf(gil)).toEqual(['client.lost'])
  await pool.query(`update client set last_seen_at = now() where client_key = 'c-mill'`)
  await lookOut(db)
  await lookOut(db)
  expect((await listOf(gil)).map(({ kind, params }) => [kind, params['client']])).toEqual([
    ['client.back', 'Mill'],
    ['client.lost', 'Mill'],
  ])
})

it('tells an owner once that a campaign stands still', async () => {
  const hal = await server.as('operator', 'hal')
  const { pool, db } = server.deps
  const id = '01900000-0000-7000-8000-0000000000c1'
  await pool.query(
    `insert into campaign (id, owner_id, code, title, type, pairing, schedule, pacing, errors, state, state_changed_at)
     values ($1, $2, 'still', 'Still', 'workflow', '{}', '{}', '{}', '{}', 'running', now() - interval '20 minutes')`,
    [id, hal.id],
  )
  await pool.query(
    `insert into campaign_item (id, campaign_id, seq, state) values (gen_random_uuid(), $1, 1, 'ready')`,
    [id],
  )
  await lookOut(db)
  await lookOut(db)
  expect((await listOf(hal)).map(({ kind, count, recordId }) => [kind, count, recordId])).toEqual([
    ['campaign.stalled', 1, id],
  ])
})

it('a request for access goes to those who can give it, once in five minutes for the same right', async () => {
  const ida = await server.as('viewer', 'ida')
  const lead = await server.withRules('lead of none', [
    { action: ['VIEW', 'UPDATE'], subject: 'USER', conditions: { ownerId: '${user.id}' } },
  ])
  const need = await ida.api(accessRequests).need({ path: '/cms/campaign/new?from=list' })
  expect(need).toEqual({ missing: { action: 'CREATE', subject: 'CAMPAIGN' }, givers: ['administrator'] })
  expect(await ida.api(accessRequests).need({ path: '/cms/campaign/list' })).toEqual({
    missing: null,
    givers: [],
  })
  const ask = () =>
    ida.api(accessRequests).request({ action: 'CREATE', subject: 'CAMPAIGN', note: 'for the spring' })
  expect(await ask()).toEqual({ told: 1 })
  const again = await refusal(ask())
  expect([again.httpStatus, again.code]).toEqual([429, 'auth.wait_next_request'])
  expect(again.retryAfterSeconds).toBeGreaterThan(290)
  expect(await ida.api(accessRequests).request({ action: 'DELETE', subject: 'CAMPAIGN' })).toEqual({
    told: 1,
  })
  const asked = (await listOf(admin)).filter(({ kind }) => kind === 'access.requested')
  expect(asked).toHaveLength(2)
  expect(asked[1]).toMatchObject({
    params: { person: 'ida', action: 'CREATE', subject: 'CAMPAIGN', note: 'for the spring' },
    feature: 'users',
    recordId: ida.id,
  })
  expect(await listOf(lead)).toEqual([])
})

it('keeps them ninety days', async () => {
  const jo = await server.as('viewer', 'jo')
  await tell(jo.id)
  await tell(jo.id, '01900000-0000-7000-8000-000000000002')
  await server.deps.pool.query(
    `update notification set at = now() - interval '91 days' where id = (
      select id from notification where user_id = $1 order by id limit 1)`,
    [jo.id],
  )
  await clearOnce(server.deps, (error) => {
    throw error
  })
  expect(await listOf(jo)).toHaveLength(1)
})
