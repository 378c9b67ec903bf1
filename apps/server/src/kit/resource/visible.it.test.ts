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

test('tags are suggested of what the caller sees and is not in the trash, the most used first', async () => {
  const cleo = await server.as('operator', 'cleo')
  const api = cleo.api(accounts)
  await api.create({ type: 'x', username: 'tagged-1', tags: ['north', 'Spring'] })
  await api.create({ type: 'x', username: 'tagged-2', tags: ['Spring'] })
  const gone = await api.create({ type: 'x', username: 'tagged-3', tags: ['gone'] })
  await api.remove({ id: gone.id })
  const dan = await server.as('operator', 'dan')
  await dan.api(accounts).create({ type: 'x', username: 'tagged-4', tags: ['his own'] })
  expect(await api.tags({})).toEqual(['Spring', 'north'])
  expect(await api.tags({ q: 'spr' })).toEqual(['Spring'])
  expect(await api.tags({ q: "'%_" })).toEqual([])
  expect(await dan.api(accounts).tags({})).toEqual(['his own'])
})
