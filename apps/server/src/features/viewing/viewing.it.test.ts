import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { notifications } from '@weft/contract/notifications/api'
import { preferences } from '@weft/contract/preferences/api'
import { projects } from '@weft/contract/projects/api'
import { reports } from '@weft/contract/reports/api'
import { users } from '@weft/contract/users/api'
import { viewing } from '@weft/contract/viewing/api'
import { refusal, testBrowser, type TestBrowser } from '../../testing/browser.ts'
import { TEST_PASSWORD, type TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let ann: TestPerson
let lead: TestPerson
let clock = Date.now()

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(clock) })
  await server.as('administrator')
  ann = await server.as('operator', 'ann')
  lead = await server.withRules('lead', [
    { action: ['VIEW', 'MANAGE'], subject: 'USER' },
    { action: 'VIEW', subject: ['PROJECT', 'REPORT'] },
  ])
})
afterAll(() => server.stop())
beforeEach(() => server.deps.pool.query('delete from sign_in_throttle'))

const codeOf = async (work: Promise<unknown>) => (await refusal(work)).code
const signedIn = async (name: string): Promise<TestBrowser> => {
  const browser = testBrowser(server.url)
  await browser.signIn(name, TEST_PASSWORD)
  return browser
}
const reason = 'She cannot find her project'

it('shows what the person sees and lets nothing be changed, until it is stopped', async () => {
  await ann.api(projects).create({ name: 'Hers' })
  const admin = await signedIn('administrator')
  await admin.api(projects).create({ name: 'Not hers' })
  const { until } = await admin.api(viewing).start({ id: ann.id, reason })
  expect(Date.parse(until) - clock).toBe(30 * 60_000)
  const info = await admin.api(access).info({})
  expect(info.user.username).toBe('ann')
  expect(info.viewing).toEqual({ by: 'administrator', reason, until })
  expect((await admin.api(projects).list({})).data.map(({ name }) => name)).toEqual(['Hers'])
  expect((await refusal(admin.api(users).list({}))).code).toBe('access.denied')
  // Some calls by POST change nothing.
  const [from, to] = [new Date(clock - 86_400_000).toISOString(), new Date(clock).toISOString()]
  expect(await admin.api(reports).summary({ from, to })).toBeDefined()
  expect(await codeOf(admin.api(projects).create({ name: 'Mine' }))).toBe('access.viewing_as')
  expect(await codeOf(admin.api(preferences).change({ theme: 'light' }))).toBe('access.viewing_as')
  expect(await codeOf(admin.api(notifications).read({}))).toBe('access.viewing_as')
  expect(await codeOf(admin.api(viewing).start({ id: lead.id, reason }))).toBe('access.viewing_as')
  // A fresh token goes on looking on.
  const fresh = await admin.api(access).refresh({})
  expect([fresh.user.username, fresh.viewing?.by]).toEqual(['ann', 'administrator'])
  // Only this session does, and the person's own calls are their own.
  const elsewhere = await signedIn('administrator')
  expect((await elsewhere.api(access).info({})).user.username).toBe('administrator')
  await ann.api(projects).create({ name: 'Hers too' })
  expect(await admin.api(viewing).stop({})).toEqual({ stopped: true })
  const own = await admin.api(access).info({})
  expect([own.user.username, own.viewing]).toEqual(['administrator', undefined])
  expect(await admin.api(viewing).stop({})).toEqual({ stopped: false })
})

it('is written down at both ends in the name of who did it, and the person is told', async () => {
  const { rows } = await server.deps.pool.query<Record<string, unknown>>(
    `select label, actor_name, record_id from audit where label in ('user.view_as', 'user.stop_viewing')
     and record_id is not null order by at`,
  )
  expect(rows).toEqual([
    { label: 'user.view_as', actor_name: 'administrator', record_id: ann.id },
    { label: 'user.stop_viewing', actor_name: 'administrator (as ann)', record_id: ann.id },
  ])
  const told = (await ann.api(notifications).list({})).data
  expect(told.find(({ kind }) => kind === 'viewing.started')?.params).toEqual({ by: 'administrator', reason })
})

it('ends by itself after half an hour', async () => {
  const admin = await signedIn('administrator')
  await admin.api(viewing).start({ id: ann.id, reason })
  expect((await admin.api(access).info({})).user.username).toBe('ann')
  clock += 31 * 60_000
  const fresh = await admin.api(access).refresh({})
  expect([fresh.user.username, fresh.viewing]).toEqual(['administrator', undefined])
})

it('asks for a reason, a fresh proof, the right, and rights as wide as the person’s', async () => {
  const admin = await signedIn('administrator')
  expect(await codeOf(admin.api(viewing).start({ id: ann.id, reason: '' }))).toBe('request.invalid')
  const { user } = await admin.api(access).info({})
  expect(await codeOf(admin.api(viewing).start({ id: user.id, reason }))).toBe('user.not_yourself')
  const browser = await signedIn('lead')
  expect(await codeOf(browser.api(viewing).start({ id: ann.id, reason }))).toBe('user.beyond_own')
  const other = await signedIn('ann')
  expect((await refusal(other.api(viewing).start({ id: lead.id, reason }))).httpStatus).toBe(403)
  clock += 6 * 60_000
  expect(await codeOf(admin.api(viewing).start({ id: ann.id, reason }))).toBe('auth.confirm_required')
})

it('ends at once when the person is given what the one who looks on may not do', async () => {
  const weak = await server.withRules('weak', [{ action: 'VIEW', subject: 'PROJECT' }])
  const browser = await signedIn('lead')
  await browser.api(viewing).start({ id: weak.id, reason })
  expect((await browser.api(access).info({})).user.username).toBe('weak')
  await server.deps.pool.query(
    `update role set rules = '[{"action":["VIEW","DELETE"],"subject":"PROJECT"}]' where key = 'weak'`,
  )
  await server.deps.pool.query(`select pg_notify('weft_identity', '')`)
  server.deps.identities.forget()
  expect((await browser.api(access).info({})).user.username).toBe('lead')
})
