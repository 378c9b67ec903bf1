import { existsSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { files } from '@weft/contract/files/api'
import { profiles } from '@weft/contract/profiles/api'
import { videos } from '@weft/contract/videos/api'
import { Ground } from '../../engine/testing/ground.ts'
import { codeOf } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { fileStoreOf } from '../file-store.ts'

let server: TestServer
let ann: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
})
afterAll(() => server.stop())

test('a record goes for good out of the trash only, by those who may delete it, and is in the audit log', async () => {
  const api = ann.api(accounts)
  const { id } = await api.create({ type: 'x', username: 'gone' })
  expect(await codeOf(api.purge({ id }))).toBe('record.not_found')
  await api.remove({ id })
  const viewer = await server.as('viewer', 'vic')
  const bob = await server.as('operator', 'bob')
  expect(await codeOf(viewer.api(accounts).purge({ id }))).toBe('access.denied')
  expect(await codeOf(bob.api(accounts).purge({ id }))).toBe('record.not_found')
  const [row] = (await api.list({ trashed: 'true' })).data
  expect(row).toMatchObject({ id, can: ['restore', 'purge'] })
  await api.purge({ id })
  expect((await api.list({ trashed: 'true' })).totalRecord).toBe(0)
  expect(await codeOf(api.restore({ id }))).toBe('record.not_found')
  const { rows } = await server.deps.db.execute(
    sql`select label, actor_name, before ->> 'username' as username from audit where record_id = ${id} order by at desc limit 1`,
  )
  expect(rows).toEqual([{ label: 'account.purge', actor_name: 'ann', username: 'gone' }])
})

test('one that others still use stays', async () => {
  const profile = await ann.api(profiles).create({ name: 'used' })
  const account = await ann.api(accounts).create({ type: 'x', username: 'user', profileId: profile.id })
  await ann.api(profiles).remove({ id: profile.id })
  expect(await codeOf(ann.api(profiles).purge({ id: profile.id }))).toBe('record.in_use')
  await ann.api(accounts).update({ id: account.id, version: 1, profileId: null })
  await ann.api(profiles).purge({ id: profile.id })
  expect(await codeOf(ann.api(profiles).restore({ id: profile.id }))).toBe('record.not_found')
})

test('a client goes where it never ran anything; what runs speak of stays', async () => {
  const ground = new Ground(server, ann)
  const [idle, used] = [await ground.agent(), await ground.agent()]
  await ground.campaign(1, [used])
  await used.finish(await used.begin())
  for (const agent of [idle, used]) await ground.clients.remove({ id: agent.clientId })
  const { data } = await ground.clients.list({ trashed: 'true' })
  expect(data.map(({ can }) => can)).toEqual([
    ['restore', 'purge'],
    ['restore', 'purge'],
  ])
  await ground.clients.purge({ id: idle.clientId })
  expect(await codeOf(ground.clients.purge({ id: used.clientId }))).toBe('record.in_use')
  await Promise.all([idle.leave(), used.leave()])
})

test('the bytes of a video go with the last that names them', async () => {
  const bytes = new TextEncoder().encode('a film, as far as this test goes')
  const store = fileStoreOf(server.deps)
  const made = await Promise.all(
    ['one', 'two'].map(async (title) => {
      const { id: fileId, sha256 } = await ann.api(files).upload({ name: `${title}.mp4` }, { body: bytes })
      await server.deps.db.execute(sql`update file set purpose = 'video' where id = ${fileId}`)
      const { id } = await ann.api(videos).create({ title })
      await server.deps.db.execute(
        sql`update video set file_id = ${fileId}, status = 'ready' where id = ${id}`,
      )
      await ann.api(videos).remove({ id })
      return { id, path: store.pathOf(sha256) }
    }),
  )
  const path = made[0]?.path ?? ''
  const old = new Date(Date.now() - 3_600_000)
  for (const [at, { id }] of made.entries()) {
    await utimes(path, old, old)
    await ann.api(videos).purge({ id })
    const isLast = at === made.length - 1
    if (isLast) await expect.poll(() => existsSync(path)).toBe(false)
    else expect(existsSync(path)).toBe(true)
  }
})
