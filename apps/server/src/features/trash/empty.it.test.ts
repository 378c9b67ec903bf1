import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { profiles } from '@weft/contract/profiles/api'
import { projects } from '@weft/contract/projects/api'
import { workflows } from '@weft/contract/workflows/api'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { emptyTrash } from './empty.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('what was thrown away a month ago goes for good; what is newer or alive stays', async () => {
  const { db } = server.deps
  const ann = await server.as('operator', 'ann')
  const profile = await ann.api(profiles).create({ name: 'old' })
  const alive = await ann.api(accounts).create({ type: 'x', username: 'alive', profileId: profile.id })
  const fresh = await ann.api(accounts).create({ type: 'x', username: 'fresh' })
  const project = await ann.api(projects).create({ name: 'old' })
  const flow = await ann.api(workflows).create({ name: 'old', projectId: project.id })
  await ann.api(profiles).remove({ id: profile.id })
  await ann.api(accounts).remove({ id: fresh.id })
  await ann.api(workflows).remove({ id: flow.id })
  await ann.api(projects).remove({ id: project.id })
  const left = async () => {
    const found = await db.execute(sql`
      select id from profile union all select id from account union all select id from project union all select id from workflow`)
    return new Set(found.rows.map((row) => row['id']))
  }
  await emptyTrash(server.deps)
  expect((await left()).size).toBe(5)
  for (const table of ['profile', 'project', 'workflow'])
    await db.execute(sql`update ${sql.identifier(table)} set deleted_at = now() - interval '31 days'`)
  await emptyTrash(server.deps)
  expect(await left()).toEqual(new Set([alive.id, fresh.id]))
  expect((await ann.api(accounts).get({ id: alive.id })).profileId).toBeNull()
})
