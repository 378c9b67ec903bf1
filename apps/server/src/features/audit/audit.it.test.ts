import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '@weft/contract/audit/api'
import { projects } from '@weft/contract/projects/api'
import { refusal } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: TestPerson
let operator: TestPerson
let projectId: string

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('administrator')
  operator = await server.as('operator')
  const made = await operator.api(projects).create({ name: 'First' })
  projectId = made.id
  await operator.api(projects).update({ id: made.id, version: made.version, name: 'Second' })
  await admin.api(projects).create({ name: 'Another' })
})
afterAll(() => server.stop())

const labels = async (query: object, by = admin) =>
  (await by.api(audit).list({ perPage: 100, ...query })).data.map(({ label }) => label)

describe('the audit log', () => {
  it('has every change, the newest first, with what was before and after', async () => {
    const { data } = await admin.api(audit).list({ record: projectId })
    expect(data.map(({ label }) => label)).toEqual(['project.update', 'project.create'])
    expect(data[0]).toMatchObject({
      actorId: operator.id,
      actorName: 'operator',
      address: '127.0.0.1',
      before: { name: 'First' },
      after: { name: 'Second' },
    })
  })

  it('is found by person, feature, kind, address and time', async () => {
    expect(await labels({ actor: admin.id })).toEqual(['project.create'])
    expect(await labels({ feature: 'projects' })).toHaveLength(3)
    expect(await labels({ feature: 'accounts' })).toEqual([])
    expect(await labels({ label: 'project.update' })).toHaveLength(1)
    expect(await labels({ address: '127.0.0.1', q: 'opera' })).toHaveLength(2)
    expect(await labels({ address: '10.0.0.1' })).toEqual([])
    expect(await labels({ to: new Date(Date.now() - 60_000).toISOString() })).toEqual([])
    expect(await labels({ from: new Date(Date.now() - 60_000).toISOString() })).toHaveLength(3)
    expect(await admin.api(audit).names({})).toMatchObject({
      features: expect.arrayContaining(['projects']),
      labels: expect.arrayContaining(['project.create', 'project.update']),
    })
    expect((await refusal(admin.api(audit).list({ actor: 'me' }))).httpStatus).toBe(422)
  })

  it('is shown to those who may see it, and of somebody limited to their own what they did', async () => {
    expect((await refusal(operator.api(audit).list({}))).code).toBe('access.denied')
    const own = await server.withRules('own', [
      { action: ['VIEW', 'EXPORT'], subject: 'AUDIT', conditions: { ownerId: '${user.id}' } },
    ])
    expect(await labels({}, own)).toEqual([])
    const response = await own.api(audit).export({ format: 'ndjson' })
    // That they export is their own doing, and all that there is of theirs.
    expect((await response.text()).trim().split('\n')).toEqual([expect.stringContaining('"actorName":"own"')])
    expect(await labels({}, own)).toEqual(['audit.export'])
  })

  it('is exported as it is filtered', async () => {
    const response = await admin.api(audit).export({ record: projectId })
    const [head, ...lines] = (await response.text()).replace('\uFEFF', '').trim().split(/\r?\n/)
    expect(head).toBe('at,actorName,actorId,address,label,feature,recordId,before,after,id')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('project.update')
    expect(response.headers.get('content-disposition')).toContain('audit.csv')
  })

  it('is read by its indexes', async () => {
    await server.deps.pool.query(`
      insert into audit (id, at, actor_id, actor_name, address, label, feature, request_id)
      select gen_random_uuid(), now() - make_interval(secs => n), null, 'program', '10.0.0.' || n % 200, 'project.update',
        'projects', 'r' from generate_series(1, 20000) as n`)
    await server.deps.pool.query('analyze audit')
    const plan = async (where: string) => {
      const { rows } = await server.deps.pool.query<{ 'QUERY PLAN': string }>(
        `explain select * from audit ${where} order by at desc, id desc limit 10`,
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    expect(await plan('')).toContain('audit_by_time')
    expect(await plan(`where label = 'project.create'`)).toContain('audit_by_label')
    expect(await plan(`where address = '10.0.0.7'`)).toContain('audit_by_address')
  })
})
