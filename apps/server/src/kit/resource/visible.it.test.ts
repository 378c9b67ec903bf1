import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { accountResource } from '../../features/accounts/resource.ts'
import { loadUser } from '../../features/access/identities.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import type { TestPerson } from '../../testing/people.ts'
import { decisionsFor } from '../access.ts'
import { manyOf, seenBy } from './visible.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

async function told(person: TestPerson, ids: string[]): Promise<string[]> {
  const user = await loadUser(server.deps.db, person.id)
  if (!user) throw new Error('nobody')
  const who = { tx: server.deps.db, user, ...decisionsFor(user.rules, user.id) }
  return [...(await seenBy(accountResource)(who, ids))]
}

test('changes are told to those who may see the record, one or many, in the trash or not', async () => {
  const ann = await server.as('operator', 'ann')
  const { id } = await ann.api(accounts).create({ type: 'x', username: 'seen' })
  const ids = [id, manyOf(ann.id), 'nonsense']
  expect(await told(ann, ids)).toEqual([id, manyOf(ann.id)])
  await ann.api(accounts).remove({ id })
  expect(await told(await server.as('viewer'), ids)).toEqual([id, manyOf(ann.id)])
  expect(await told(await server.as('operator', 'ben'), ids)).toEqual([])
})
