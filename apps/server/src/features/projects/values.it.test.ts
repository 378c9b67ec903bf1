import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projects } from '@weft/contract/projects/api'
import { audit } from '@weft/contract/audit/api'
import { workflows } from '@weft/contract/workflows/api'
import { emptyDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import type { HandAgent } from '../../engine/testing/hand-agent.ts'
import { Ground, refusal, unique } from '../../engine/testing/ground.ts'

let ground: Ground
let agent: HandAgent
const SECRET = 'tide-table-4711'

beforeAll(async () => {
  ground = await Ground.open()
  agent = await ground.agent(2)
})
afterAll(async () => {
  await agent.leave()
  await ground.server.stop()
})

const logging = (message: string) =>
  encodeDocument({
    ...emptyDocument(),
    start: 'say',
    activities: [{ id: 'say', type: 'log', typeVersion: 1, state: { message } }],
  })

async function projectWith(variables: { name: string; type: 'string'; value: string }[] = []) {
  const calls = ground.person.api(projects)
  const made = await calls.create({ name: unique() })
  return variables.length === 0 ? made : calls.update({ id: made.id, version: made.version, variables })
}

async function publishedIn(projectId: string | null, message: string) {
  const calls = ground.person.api(workflows)
  const made = await calls.create({ name: unique(), projectId, draft: { ...logging(message) } })
  await calls.publish({ id: made.id, version: made.version })
  return made.id
}

describe('variables', () => {
  test('are kept by type and name, and refused where they do not fit', async () => {
    const calls = ground.person.api(projects)
    const made = await projectWith([{ name: 'host', type: 'string', value: 'shop.example' }])
    expect(made.variables).toEqual([{ name: 'host', type: 'string', value: 'shop.example', description: '' }])
    const set = (variables: object[]) =>
      refusal(calls.update({ id: made.id, version: made.version, variables: variables as never }))
    expect(await set([{ name: 'host', type: 'number', value: 'x' }])).toBe('422 request.invalid')
    expect(await set([{ name: '2nd', type: 'json', value: null }])).toBe('422 request.invalid')
    const twice = { name: 'a', type: 'boolean', value: true }
    expect(await set([twice, twice])).toBe('422 request.invalid')
    expect(await set([{ name: 'long', type: 'string', value: 'x'.repeat(40_000) }])).toBe(
      '422 request.invalid',
    )
    const listed = (await calls.list({ q: made.name })).data[0]
    expect(listed).not.toHaveProperty('variables')
    const ben = (await ground.server.as('operator', 'ben')).api(projects)
    expect(await refusal(ben.names({ id: made.id }))).toBe('404 record.not_found')
  })

  test('a run keeps those of the moment in which it began', async () => {
    const calls = ground.person.api(projects)
    const made = await projectWith([{ name: 'host', type: 'string', value: 'first' }])
    const workflowId = await publishedIn(made.id, 'to {{ project.host }}')
    const campaignId = await ground.campaign(2, [agent], { workflowId })
    const [one, two] = await agent.offered(2)
    if (!one || !two) throw new Error('two runs were to be offered')
    const told = await agent.claim(one)
    expect(told.project).toMatchObject({ id: made.id, name: made.name, variables: { host: 'first' } })
    const variables = [{ name: 'host', type: 'string' as const, value: 'second' }]
    await calls.update({ id: made.id, version: made.version, variables })
    // Told once more, after a lost answer.
    expect((await agent.claim(one)).project?.variables).toEqual({ host: 'first' })
    expect((await agent.claim(two)).project?.variables).toEqual({ host: 'second' })
    for (const holder of [one, two]) {
      await agent.calls.start({ runs: [holder] })
      await agent.finish(holder)
    }
    await ground.reaches(campaignId, 'finished')
  })

  test('a name that the project lacks keeps a draft from being published, and the same in a called workflow', async () => {
    const calls = ground.person.api(workflows)
    const made = await projectWith([{ name: 'host', type: 'string', value: 'x' }])
    const draft = { ...logging('{{ project.hosts }} {{ secrets.NONE }}') }
    const wrong = await calls.create({ name: unique(), projectId: made.id, draft })
    expect(wrong.problems.map(({ code, params }) => [code, params['name']])).toEqual([
      ['expression.unknown_project_variable', 'hosts'],
      ['expression.unknown_secret', 'NONE'],
    ])
    expect(await refusal(calls.publish({ id: wrong.id, version: wrong.version }))).toBe(
      '422 workflow.invalid',
    )
    const calledId = await publishedIn(made.id, '{{ project.host }}')
    const caller = await calls.create({
      name: unique(),
      draft: {
        ...encodeDocument({
          ...emptyDocument(),
          start: 'call',
          activities: [
            { id: 'call', type: 'call-workflow', typeVersion: 1, state: { workflowId: calledId } },
          ],
        }),
      },
    })
    expect(caller.problems).toMatchObject([
      { code: 'workflow.call_missing_project_name', activityId: 'call', params: { name: 'host' } },
    ])
    await calls.update({ id: caller.id, version: caller.version, projectId: made.id })
    expect((await calls.get({ id: caller.id })).problems).toEqual([])
  })

  test('its defaults are what a workflow made in it begins with', async () => {
    const calls = ground.person.api(projects)
    const made = await projectWith()
    const defaults = { timeLimitSeconds: 60, maxAttempts: 3, traceOn: null }
    await calls.update({ id: made.id, version: made.version, defaults })
    const within = await ground.person.api(workflows).create({ name: unique(), projectId: made.id })
    expect(within.draft['settings']).toEqual({ timeLimitSeconds: 60, maxAttempts: 3, traceOn: 'failure' })
  })
})

describe('secrets', () => {
  test('reach a run of the project and nobody else, and are nowhere to be read', async () => {
    const calls = ground.person.api(projects)
    const made = await projectWith()
    const other = await projectWith()
    expect(await calls.setSecret({ id: made.id, name: 'API_KEY', value: SECRET })).toMatchObject([
      { name: 'API_KEY' },
    ])
    await calls.setSecret({ id: made.id, name: 'API_KEY', description: 'For the shop' })
    const workflowId = await publishedIn(made.id, 'with {{ secrets.API_KEY }}')
    const campaignId = await ground.campaign(1, [agent], { workflowId })
    const holder = await agent.begin()
    const ask = (handle: `project.${string}`) =>
      agent.calls.secret({ runId: holder.runId, leaseToken: holder.leaseToken, handle })
    expect(await ask('project.API_KEY')).toEqual({ value: SECRET })
    expect(await refusal(ask('project.OTHER'))).toBe('404 record.not_found')
    await calls.setSecret({ id: other.id, name: 'OTHER', value: 'not for this run' })
    expect(await refusal(ask('project.OTHER'))).toBe('404 record.not_found')
    await agent.finish(holder)
    expect(await refusal(ask('project.API_KEY'))).not.toBe('no error')
    await ground.reaches(campaignId, 'finished')

    const answers = [
      await calls.get({ id: made.id }),
      await calls.secrets({ id: made.id }),
      await calls.names({ id: made.id }),
      (await (await ground.server.as('administrator')).api(audit).list({ perPage: 500 })).data,
    ]
    expect(JSON.stringify(answers)).not.toContain(SECRET)
    expect(await tablesWith(SECRET)).toEqual([])
  })

  test('are written by who may change the project alone', async () => {
    const made = await projectWith()
    const ben = (await ground.server.as('operator', 'ben')).api(projects)
    expect(await refusal(ben.setSecret({ id: made.id, name: 'A', value: 'x' }))).toBe('404 record.not_found')
    const viewer = (await ground.server.as('viewer')).api(projects)
    expect(await refusal(viewer.setSecret({ id: made.id, name: 'A', value: 'x' }))).toBe('403 access.denied')
    const calls = ground.person.api(projects)
    expect(await refusal(calls.setSecret({ id: made.id, name: 'A', description: 'no value yet' }))).toBe(
      '404 record.not_found',
    )
    expect(await refusal(calls.setSecret({ id: made.id, name: 'no name', value: 'x' }))).toBe(
      '422 request.invalid',
    )
    await calls.setSecret({ id: made.id, name: 'A', value: 'x' })
    expect(await calls.removeSecret({ id: made.id, name: 'A' })).toEqual([])
    expect(await refusal(calls.removeSecret({ id: made.id, name: 'A' }))).toBe('404 record.not_found')
  })
})

/** The tables, jobs of the queue included, in which some row shows these words. */
async function tablesWith(words: string): Promise<string[]> {
  const { db } = ground.server.deps
  const tables = await db.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`)
  const found: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await db.execute(
      sql`select 1 from ${sql.raw(name)} t where strpos(t::text, ${words}) > 0 limit 1`,
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}
