import { afterAll, beforeAll, expect, it } from 'vitest'
import { users } from '@weft/contract/users/api'
import { refusal } from '../../testing/browser.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

it('a name that is somebody else’s address is refused, and an address that is somebody else’s name', async () => {
  const admin = (await server.as('administrator')).api(users)
  const { user: ann } = await admin.create({ username: 'ann', email: 'ann@example.org' })
  const { user: bob } = await admin.create({ username: 'bob@example.org' })
  const wrong = async (call: Promise<unknown>) => {
    const { code, body } = await refusal(call)
    return [code, body.errors?.[0]?.path]
  }
  expect(await wrong(admin.create({ username: 'Ann@Example.org' }))).toEqual(['record.duplicate', 'username'])
  expect(await wrong(admin.create({ username: 'eve', email: 'BOB@example.org' }))).toEqual([
    'record.duplicate',
    'email',
  ])
  expect(await wrong(admin.update({ id: ann.id, version: ann.version, email: 'bob@example.org' }))).toEqual([
    'record.duplicate',
    'email',
  ])
  // One's own name as one's own address is one person.
  await admin.update({ id: bob.id, version: bob.version, email: 'bob@example.org' })
})
