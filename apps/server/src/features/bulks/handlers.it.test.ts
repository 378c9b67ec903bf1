import { setTimeout as delay } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { bulks } from '@weft/contract/bulks/api'
import type { Bulk } from '@weft/contract/bulks/schema'
import { notifications } from '@weft/contract/notifications/api'
import { phones } from '@weft/contract/phones/api'
import { proxies } from '@weft/contract/proxies/api'
import { AppError } from '../../kit/app-error.ts'
import { CHUNK } from '../../kit/bulk/select.ts'
import { bulk, bulkChunk, bulkRow } from '../../kit/bulk/table.ts'
import { codeOf } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { expectTablesMatch } from '../../testing/tables-match.ts'
import { account } from '../accounts/table.ts'
import { clearOld } from './feature.ts'
import { runBulk } from './run.ts'

let server: TestServer
let ann: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
})
afterAll(() => server.stop())

let made = 0
async function some(person: TestPerson, count: number, more: object = {}) {
  const all = []
  for (let n = 0; n < count; n += 1) {
    made += 1
    all.push(await person.api(accounts).create({ type: 'x', username: `bulk-${made}`, ...more }))
  }
  return all
}

/** Many accounts by SQL, with this tag. */
async function many(person: TestPerson, count: number, tag: string): Promise<void> {
  await server.deps.db.execute(sql`
    insert into account (id, owner_id, created_by, type, username, tags)
    select gen_random_uuid(), ${person.id}, ${person.id}, 'google', ${tag} || n, array[${tag}]::text[]
    from generate_series(1, ${count}::int) n`)
}

async function ended(person: TestPerson, { id }: Bulk): Promise<Bulk> {
  for (let n = 0; n < 800; n += 1) {
    const now = await person.api(bulks).get({ id })
    if (now.state !== 'running') return now
    await delay(50)
  }
  throw new Error('the bulk does not end')
}

test('the tables are as the code knows them', () =>
  expectTablesMatch(server.deps.db, [bulk, bulkChunk, bulkRow]))

describe('a few records', () => {
  test('get the fields that are given, each with its history, and get back what they had', async () => {
    const api = ann.api(accounts)
    const [one, two, three] = await some(ann, 3, { displayName: 'Before', tags: ['kept'] })
    if (!one || !two || !three) throw new Error('nothing was made')
    const ids = [one.id, two.id, three.id]
    await api.update({ id: two.id, version: 1, displayName: 'After' })
    const fields = { displayName: 'After', password: 'hush~1' }
    expect(await api.bulkPreview({ selection: { ids }, action: 'update', fields })).toMatchObject({
      matched: 3,
      changed: 3,
      refused: 0,
    })
    const first = await api.bulk({
      selection: { ids },
      action: 'update',
      fields: { displayName: 'After', status: 'paused' },
    })
    expect(first).toMatchObject({ state: 'finished', total: 3, done: 3, unchanged: 0, can: ['undo'] })
    const again = await api.bulk({
      selection: { ids },
      action: 'update',
      fields: { displayName: 'After', status: 'paused' },
    })
    expect(again).toMatchObject({ done: 3, unchanged: 3, can: [] })
    expect(await codeOf(ann.api(bulks).undo({ id: again.id }))).toBe('bulk.cannot_undo')
    const [line] = (await api.history({ id: one.id })).data
    expect(line).toMatchObject({
      label: 'account.bulk',
      before: { displayName: 'Before', status: 'new', version: 1 },
      after: { displayName: 'After', status: 'paused', version: 2 },
    })
    // Somebody changes one of them meanwhile: it stays as they left it.
    await api.update({ id: three.id, version: 2, notes: 'mine' })
    const back = await ann.api(bulks).undo({ id: first.id })
    expect(back).toMatchObject({
      action: 'undo',
      undoes: first.id,
      state: 'finished',
      done: 2,
      refusedTotal: 1,
      refused: [{ id: three.id, code: 'record.stale' }],
      can: [],
    })
    expect(await api.get({ id: one.id })).toMatchObject({ displayName: 'Before', status: 'new', version: 3 })
    expect(await api.get({ id: two.id })).toMatchObject({ displayName: 'After', status: 'new' })
    expect(await api.get({ id: three.id })).toMatchObject({ status: 'paused', notes: 'mine' })
    expect((await ann.api(bulks).get({ id: first.id })).state).toBe('undone')
    expect(await codeOf(ann.api(bulks).undo({ id: first.id }))).toBe('bulk.cannot_undo')
  })

  test('a secret is set for all, shown nowhere, and its old one comes back', async () => {
    const [one] = await some(ann, 1, { password: 'old one' })
    if (!one) throw new Error('nothing was made')
    const api = ann.api(accounts)
    const done = await api.bulk({
      selection: { ids: [one.id] },
      action: 'update',
      fields: { password: 'hush~2' },
    })
    const sealed = async () =>
      (await server.deps.db.select().from(account).where(eq(account.id, one.id)))[0]?.password
    const after = await sealed()
    await ann.api(bulks).undo({ id: done.id })
    expect(await sealed()).not.toBe(after)
    const { rows } = await server.deps.db.execute(sql`
      select coalesce(string_agg(t::text, ''), '') as text from (
        select to_jsonb(b) as t from bulk b union all select to_jsonb(r) from bulk_row r union all select to_jsonb(a) from audit a) u`)
    expect(JSON.stringify(rows)).not.toContain('hush~2')
  })

  test('go to the trash and come back', async () => {
    const api = ann.api(accounts)
    const all = await some(ann, 3)
    const ids = all.map(({ id }) => id)
    const before = (await api.list({})).totalRecord
    const gone = await api.bulk({ selection: { ids }, action: 'delete' })
    expect((await api.list({})).totalRecord).toBe(before - 3)
    expect((await api.list({ trashed: 'true' })).totalRecord).toBeGreaterThanOrEqual(3)
    // Somebody else takes one of the names meanwhile.
    await api.create({ type: 'x', username: all[1]?.username ?? '' })
    const back = await ann.api(bulks).undo({ id: gone.id })
    expect(back).toMatchObject({ done: 2, refused: [{ id: ids[1], code: 'record.duplicate' }] })
    expect((await api.list({})).totalRecord).toBe(before)
  })

  test('go for good out of the trash, but for what is used or not theirs to delete; nothing brings them back', async () => {
    const [mia, bob] = [await server.as('operator', 'mia'), await server.as('operator', 'bob')]
    const api = mia.api(proxies)
    const four = []
    for (let port = 1; port <= 4; port += 1)
      four.push(await api.create({ protocol: 'http', host: 'trash.example.org', port, password: 'hush~3' }))
    const [used, alive, ...loose] = four.map(({ id }) => id)
    const [reader] = await some(mia, 1, { proxyId: used })
    await api.bulk({ selection: { ids: [used ?? '', ...loose] }, action: 'delete' })
    const all = { selection: { query: { trashed: 'true' as const } }, action: 'purge' as const }
    expect(await bob.api(proxies).bulkPreview(all)).toMatchObject({ matched: 0 })
    expect(await bob.api(proxies).bulk({ ...all, selection: { ids: [used ?? '', ...loose] } })).toMatchObject(
      { done: 0, refusedTotal: 3, refused: [{ code: 'record.not_found' }, {}, {}] },
    )
    expect(await api.bulkPreview(all)).toMatchObject({
      matched: 3,
      changed: 2,
      reasons: [{ code: 'record.in_use', count: 1, examples: [{ id: used }] }],
    })
    const gone = await api.bulk(all)
    expect(gone).toMatchObject({ state: 'finished', total: 3, done: 2, can: [] })
    expect(gone.refused).toMatchObject([{ id: used, code: 'record.in_use' }])
    expect(await codeOf(mia.api(bulks).undo({ id: gone.id }))).toBe('bulk.cannot_undo')
    expect((await api.list({ trashed: 'true' })).data.map(({ id }) => id)).toEqual([used])
    expect((await api.list({})).data.map(({ id }) => id)).toEqual([alive])
    const { rows } = await server.deps.db.execute(sql`
      select label, actor_name as who, before ->> 'port' as port, before -> 'password' as password from audit
      where record_id = any(${sql.param(loose)}::text[]) and label = 'proxy.purge' order by 3`)
    expect(rows).toEqual(
      ['3', '4'].map((port) => ({ label: 'proxy.purge', who: 'mia', port, password: { set: true } })),
    )
    await mia.api(accounts).remove({ id: reader?.id ?? '' })
    expect(await api.bulk({ ...all, selection: { ids: [used ?? '', alive ?? ''] } })).toMatchObject({
      done: 1,
      refused: [{ id: alive, code: 'record.not_found' }],
    })
  })

  test('what is not given is missed, what does not fit is told by its field', async () => {
    const api = ann.api(accounts)
    const selection = { query: {} }
    expect(await codeOf(api.bulk({ selection, action: 'update' }))).toBe('request.invalid')
    expect(await codeOf(api.bulk({ selection, action: 'addTags', tags: [] }))).toBe('request.invalid')
    const proxyId = '01a2e0c0-0000-7000-8000-000000000000'
    expect(await codeOf(api.bulk({ selection, action: 'update', fields: { proxyId } }))).toBe(
      'link.not_found',
    )
    expect(await codeOf(api.bulk({ selection: { query: { q: 1 } }, action: 'delete' }))).toBe(
      'request.invalid',
    )
  })

  test('two that would become the same: one does', async () => {
    const two = await some(ann, 2)
    const done = await ann.api(accounts).bulk({
      selection: { ids: two.map(({ id }) => id) },
      action: 'update',
      fields: { username: 'the-same' },
    })
    expect(done).toMatchObject({ done: 1, refused: [{ code: 'record.duplicate' }] })
  })
})

describe('rights', () => {
  test('each record is looked at; the preview says so before', async () => {
    const eve = await server.withRules('eve', [
      { action: ['VIEW', 'UPDATE', 'CREATE'], subject: 'ACCOUNT', conditions: { ownerId: '${user.id}' } },
      { action: ['VIEW'], subject: 'ACCOUNT', conditions: { type: 'x' } },
      { action: ['UPDATE'], subject: 'ACCOUNT', fields: ['notes'], inverted: true },
    ])
    const [own] = await some(eve, 1)
    const [foreign] = await some(ann, 1)
    if (!own || !foreign) throw new Error('nothing was made')
    const ids = [own.id, foreign.id, ann.id]
    const what = { selection: { ids }, action: 'addTags' as const, tags: ['mine'] }
    expect(await eve.api(accounts).bulkPreview(what)).toEqual({
      matched: 3,
      changed: 1,
      refused: 2,
      reasons: [
        { code: 'access.denied', count: 1, examples: [{ id: foreign.id, name: foreign.username }] },
        { code: 'record.not_found', count: 1, examples: [] },
      ],
    })
    const done = await eve.api(accounts).bulk(what)
    expect(done).toMatchObject({ done: 1, refusedTotal: 2 })
    expect(done.refused.map(({ id, code: why }) => [id, why])).toEqual(
      [
        [foreign.id, 'access.denied'],
        [ann.id, 'record.not_found'],
      ].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    )
    const notes = { selection: { ids: [own.id] }, action: 'update' as const, fields: { notes: 'no' } }
    expect(await eve.api(accounts).bulkPreview(notes)).toMatchObject({ changed: 0, refused: 1 })
    expect(await eve.api(accounts).bulk(notes)).toMatchObject({
      done: 0,
      refused: [{ code: 'access.denied' }],
    })
    for (const call of ['get', 'undo', 'cancel'] as const)
      expect(await codeOf(ann.api(bulks)[call]({ id: done.id }))).toBe('record.not_found')
    expect(await codeOf(ann.api(bulks).refused({ id: done.id }))).toBe('record.not_found')
    // The same records may be among those of another bulk, which is not this one's business.
    await eve.api(accounts).bulk({ ...what, action: 'removeTags' })
    for (const perPage of [25, -1]) {
      const { data } = await eve.api(bulks).refused({ id: done.id, perPage })
      expect(data.map(({ id, code: why }) => [id, why])).toEqual(
        done.refused.map((one) => [one.id, one.code]),
      )
    }
    expect((await eve.api(bulks).list({})).data.map(({ id }) => id)).toContain(done.id)
  })

  test('taking back needs the right to each field, and to see what it links to again', async () => {
    const proxy = await ann.api(proxies).create({ protocol: 'http', host: 'link.example.org', port: 1 })
    const [one] = await some(ann, 1, { proxyId: proxy.id })
    const pam = await server.withRules('pam', [
      { action: ['VIEW', 'UPDATE'], subject: 'ACCOUNT' },
      { action: ['VIEW'], subject: 'PROXY' },
    ])
    const selection = { ids: [one?.id ?? ''] }
    const linked = await pam.api(accounts).bulk({ selection, action: 'update', fields: { proxyId: null } })
    const tagged = await pam.api(accounts).bulk({ selection, action: 'addTags', tags: ['pam'] })
    const max = await server.withRules('max', [
      { action: ['VIEW', 'UPDATE'], subject: 'ACCOUNT' },
      { action: ['UPDATE'], subject: 'ACCOUNT', fields: ['tags'], inverted: true },
    ])
    await server.deps.db.update(bulk).set({ userId: max.id }).where(eq(bulk.userId, pam.id))
    expect(await max.api(bulks).undo({ id: tagged.id })).toMatchObject({
      done: 0,
      refused: [{ code: 'access.denied' }],
    })
    await server.deps.db.execute(sql`update bulk_row set version = version + 1 where bulk_id = ${linked.id}`)
    expect(await max.api(bulks).undo({ id: linked.id })).toMatchObject({
      done: 0,
      refused: [{ code: 'link.not_found' }],
    })
    expect(await ann.api(accounts).get({ id: one?.id ?? '' })).toMatchObject({ tags: ['pam'], proxyId: null })
  })

  test('a total counts what one may see, and is never behind one’s own change', async () => {
    const [gus, zoe] = [await server.as('operator', 'gus'), await server.as('operator', 'zoe')]
    const narrow = await server.withRules('narrow', [
      { action: ['VIEW'], subject: 'PHONE', conditions: { ownerId: { $in: [gus.id, zoe.id] } } },
      { action: ['VIEW'], subject: 'PHONE', conditions: { label: 'secret' }, inverted: true },
    ])
    const totals = async () =>
      Promise.all([gus, zoe, narrow].map(async (who) => (await who.api(phones).list({})).totalRecord))
    const phone = (n: number, label: string | null = null) => ({
      countryCode: 'GB',
      phoneNumber: `+4477009001${n}`,
      label,
      kind: 'mobile' as const,
    })
    expect(await totals()).toEqual([0, 0, 0])
    const first = await gus.api(phones).create(phone(10))
    await gus.api(phones).create(phone(11, 'secret'))
    await zoe.api(phones).create(phone(12))
    expect(await totals()).toEqual([2, 1, 2])
    await gus.api(phones).remove({ id: first.id })
    expect(await totals()).toEqual([1, 1, 1])
    await server.deps.db.execute(sql`select gather_record_counts()`)
    expect(await totals()).toEqual([1, 1, 1])
    await gus.api(phones).restore({ id: first.id })
    await server.deps.db.execute(sql`update phone set owner_id = ${zoe.id} where id = ${first.id}`)
    expect(await totals()).toEqual([1, 2, 2])
    await server.deps.db.execute(sql`delete from phone where owner_id = ${zoe.id}`)
    expect(await totals()).toEqual([1, 0, 0])
    expect((await gus.api(phones).list({ page: 9 })).totalRecord).toBe(1)
  })
})

describe('very many records', () => {
  test('are changed in the background, told of, and put back; two at work take turns', async () => {
    await many(ann, 2_600, 'crowd')
    const api = ann.api(accounts)
    const query = { tag: 'crowd' }
    const begun = await api.bulk({ selection: { query }, action: 'update', fields: { status: 'paused' } })
    expect(begun).toMatchObject({ state: 'running', done: 0, can: ['cancel'] })
    await Promise.all([1, 2].map(() => runBulk(server.deps, begun.id, new AbortController().signal)))
    const done = await ended(ann, begun)
    expect(done).toMatchObject({
      state: 'finished',
      total: 2_600,
      processed: 2_600,
      done: 2_600,
      refused: [],
    })
    expect((await api.list({ ...query, accountStatus: ['paused'] })).totalRecord).toBe(2_600)
    const told = (await ann.api(notifications).list({})).data.filter(({ kind }) => kind === 'bulk.finished')
    expect(told.map(({ params, recordId }) => ({ params, recordId }))).toEqual([
      { params: { records: 'accounts', done: 2_600, refused: 0 }, recordId: done.id },
    ])
    // A killed one goes on: with nothing left to do for it, it is only told that it is at its end.
    const back = await ended(ann, await ann.api(bulks).undo({ id: done.id }))
    expect(back).toMatchObject({ state: 'finished', total: 2_600, done: 2_600, refusedTotal: 0 })
    expect((await api.list({ ...query, accountStatus: ['new'] })).totalRecord).toBe(2_600)
    const { rows } = await server.deps.db.execute(sql`
      select count(*)::int as n from audit where feature = 'accounts' and label in ('account.bulk', 'account.undo')
        and record_id in (select id::text from account where tags @> array['crowd'])`)
    expect(rows).toEqual([{ n: 5_200 }])
  })

  test('one that is ended stays where it was, what was under way is undone, and it can be taken back', async () => {
    await many(ann, CHUNK + 100, 'ended')
    const { db } = server.deps
    const open = Promise.withResolvers<undefined>()
    const held = Promise.withResolvers<undefined>()
    // Somebody is just changing the last of them, so that its part has to wait.
    const changing = db.transaction(async (tx) => {
      await tx.execute(sql`
        select 1 from account where id = (select id from account where tags @> array['ended'] order by id desc limit 1) for update`)
      held.resolve(undefined)
      await open.promise
    })
    await held.promise
    const selection = { query: { tag: 'ended' } }
    const begun = await ann.api(accounts).bulk({ selection, action: 'addTags', tags: ['more'] })
    await expect.poll(async () => (await ann.api(bulks).get({ id: begun.id })).processed).toBe(CHUNK)
    expect(await ann.api(bulks).cancel({ id: begun.id })).toMatchObject({ state: 'cancelled', done: CHUNK })
    expect(await codeOf(ann.api(bulks).cancel({ id: begun.id }))).toBe('bulk.not_running')
    open.resolve(undefined)
    await changing
    // Whoever had the other part under way finds that it is ended.
    await db.transaction((tx) => tx.execute(sql`lock table bulk_chunk in exclusive mode`))
    expect(await ann.api(bulks).get({ id: begun.id })).toMatchObject({ state: 'cancelled', done: CHUNK })
    expect((await ann.api(accounts).list({ tag: 'more' })).totalRecord).toBe(CHUNK)
    await ended(ann, await ann.api(bulks).undo({ id: begun.id }))
    expect((await ann.api(accounts).list({ tag: 'more' })).totalRecord).toBe(0)
  })

  test('one that cannot go on says so to whoever began it; what it was to take back can be taken back again', async () => {
    const [one] = await some(ann, 1)
    const { db } = server.deps
    const first = await ann
      .api(accounts)
      .bulk({ selection: { ids: [one?.id ?? ''] }, action: 'addTags', tags: ['stuck'] })
    const back = await ann.api(bulks).undo({ id: first.id })
    await db.update(bulk).set({ state: 'running', total: 5 }).where(eq(bulk.id, back.id))
    await db.insert(bulkChunk).values({ bulkId: back.id, n: 0, ids: [one?.id ?? ''] })
    const away = new AppError('system.database_unavailable')
    const failing = (error: Error) => ({
      ...server.deps,
      secrets: server.deps.secrets,
      db: Object.assign(Object.create(db) as typeof db, {
        select: () => {
          throw error
        },
      }),
    })
    const run = (error: Error) => runBulk(failing(error), back.id, new AbortController().signal)
    await expect(run(away)).rejects.toBe(away)
    expect((await ann.api(bulks).get({ id: back.id })).state).toBe('running')
    await run(new Error('a mistake'))
    expect((await ann.api(bulks).get({ id: back.id })).state).toBe('failed')
    expect(await ann.api(bulks).get({ id: first.id })).toMatchObject({ state: 'finished', can: ['undo'] })
    const told = (await ann.api(notifications).list({})).data.find(({ kind }) => kind === 'bulk.failed')
    expect(told).toMatchObject({ recordId: back.id, params: { records: 'accounts', done: 1, left: 4 } })
    // What was put back before it failed is not put back twice.
    expect(await ann.api(bulks).undo({ id: first.id })).toMatchObject({ state: 'finished', total: 0 })
  })

  test('are forgotten after a week, but not while they are taken back', async () => {
    await server.deps.db.execute(sql`update bulk set created_at = now() - interval '8 days'`)
    const { id } = (await ann.api(bulks).list({ state: ['undone'] })).data[0] ?? { id: '' }
    await server.deps.db.execute(sql`update bulk set state = 'running' where undoes = ${id}`)
    await clearOld(server.deps)
    expect((await ann.api(bulks).get({ id })).state).toBe('undone')
    await server.deps.db.execute(sql`update bulk set state = 'finished' where undoes = ${id}`)
    await clearOld(server.deps)
    const { rows } = await server.deps.db.execute(sql`select count(*)::int as n from bulk_row`)
    expect(rows).toEqual([{ n: 0 }])
  })
})

test('what is held is not deleted, also not by taking back a restore', async () => {
  const api = ann.api(proxies)
  const one = await api.create({ protocol: 'http', host: 'bulk.example.org', port: 1 })
  const gone = await api.bulk({ selection: { ids: [one.id] }, action: 'delete' })
  const back = await api.bulk({ selection: { ids: [one.id] }, action: 'restore' })
  expect([gone.done, back.done]).toEqual([1, 1])
  expect(await ann.api(bulks).undo({ id: back.id })).toMatchObject({ done: 1 })
  expect(await codeOf(api.get({ id: one.id }))).toBe('record.not_found')
})
