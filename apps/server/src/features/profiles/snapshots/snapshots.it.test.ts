import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { profiles } from '@weft/contract/profiles/api'
import type { HandAgent } from '../../../engine/testing/hand-agent.ts'
import { Ground } from '../../../engine/testing/ground.ts'
import { codeOf } from '../../../testing/browser.ts'

let ground: Ground
let agent: HandAgent

beforeAll(async () => {
  ground = await Ground.open()
  agent = await ground.agent()
})
afterAll(async () => {
  await agent.leave()
  await ground.server.stop()
})

const api = () => ground.person.api(profiles)

/** One run that begins with what is kept and leaves something else. Gives what it began with. */
async function visit(accountId: string, leaves: string): Promise<string | null> {
  await ground.campaign([accountId], [agent])
  const holder = await agent.begin()
  const bytes = new TextEncoder().encode(leaves)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await agent.calls.upload({ sha256, offset: 0, size: bytes.length }, { body: bytes })
  const snapshot = { sha256, size: bytes.length, expiresAt: null }
  const began = holder.job.profile?.snapshot
    ? Buffer.from(
        await (await agent.calls.snapshot({ id: holder.runId, leaseToken: holder.leaseToken })).arrayBuffer(),
      ).toString()
    : null
  expect(await agent.finish(holder, { snapshot })).toMatchObject({ status: 'accepted' })
  return began
}

/** The sizes of what is kept, with what each is; the texts of this test tell themselves apart by their length. */
const kept = async (id: string) =>
  (await api().snapshots({ id })).map(
    ({ size, current, pinned }) => `${size}${current ? ' current' : ''}${pinned ? ' pinned' : ''}`,
  )
const files = () =>
  ground.rows(
    sql`select size from file where purpose = 'snapshot' order by size`,
    z.object({ size: z.coerce.number() }),
  )

it('keeps the one before and a pinned one, and goes back to either', async () => {
  const { id } = await api().create({ name: 'kept' })
  const accountId = await ground.account({ profileId: id })
  expect(await api().snapshots({ id })).toEqual([])
  expect(await visit(accountId, '1')).toBeNull()
  expect(await visit(accountId, '22')).toBe('1')
  expect(await kept(id)).toEqual(['2 current', '1'])
  const [, one] = await api().snapshots({ id })
  await api().pinSnapshot({ id, snapshot: one?.id ?? '', pinned: true })
  await visit(accountId, '333')
  await visit(accountId, '4444')
  expect(await kept(id)).toEqual(['4 current', '3', '1 pinned'])
  // What is not kept any more leaves nothing behind.
  expect((await files()).map(({ size }) => size)).toEqual([1, 3, 4])
  const [current, before, pinned] = await api().snapshots({ id })
  expect(current).toMatchObject({ accountId, accountName: expect.any(String), runId: expect.any(String) })
  await api().useSnapshot({ id, snapshot: before?.id ?? '' })
  expect(await kept(id)).toEqual(['3 current', '4', '1 pinned'])
  expect(await visit(accountId, '333')).toBe('333')
  // A run that left what it found has pushed nothing out.
  expect(await kept(id)).toEqual(['3 current', '4', '1 pinned'])
  await api().useSnapshot({ id, snapshot: pinned?.id ?? '' })
  expect(await kept(id)).toEqual(['1 current pinned', '3'])
  expect(await visit(accountId, '55555')).toBe('1')
  const history = (await api().history({ id })).data.map(({ label }) => label)
  expect(history.filter((label) => label.endsWith('_snapshot'))).toEqual([
    'profile.use_snapshot',
    'profile.use_snapshot',
    'profile.pin_snapshot',
  ])
  await ground.server.deps.db.execute(sql`delete from profile where id = ${id}`)
  expect(await files()).toEqual([])
})

it('leaves a profile alone that a run holds, and those of others', async () => {
  const { id } = await api().create({ name: 'held' })
  const accountId = await ground.account({ profileId: id })
  await visit(accountId, 'a')
  await visit(accountId, 'bb')
  const [current, before] = await api().snapshots({ id })
  const snapshot = before?.id ?? ''
  const bob = await ground.neighbour('bob')
  const theirs = bob.person.api(profiles)
  expect(await codeOf(theirs.snapshots({ id }))).toBe('record.not_found')
  expect(await codeOf(theirs.useSnapshot({ id, snapshot }))).toBe('record.not_found')
  const other = await theirs.create({ name: 'mine' })
  expect(await codeOf(theirs.useSnapshot({ id: other.id, snapshot }))).toBe('record.not_found')
  expect(await codeOf(theirs.pinSnapshot({ id: other.id, snapshot, pinned: true }))).toBe('record.not_found')
  await ground.campaign([accountId], [agent])
  const holder = await agent.begin()
  expect(await codeOf(api().useSnapshot({ id, snapshot }))).toBe('record.in_use')
  expect((await api().snapshots({ id }))[0]?.id).toBe(current?.id)
  await agent.finish(holder)
})
