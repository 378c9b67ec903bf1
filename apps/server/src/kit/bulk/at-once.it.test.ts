import { eq, getTableColumns, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { bulks } from '@weft/contract/bulks/api'
import type { Bulk } from '@weft/contract/bulks/schema'
import { IMPORT_KINDS } from '@weft/contract/imports/schema'
import { proxies } from '@weft/contract/proxies/api'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { account } from '../../features/accounts/table.ts'
import { mountedOf } from '../resource.ts'
import { difference } from '../resource/change.ts'
import { openField } from '../resource/secrets.ts'

let server: TestServer
let ann: TestPerson
let pat: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
  // The rule about a field changes nothing for these records but that each of them is asked one by one.
  pat = await server.withRules('pat', [
    {
      action: ['VIEW', 'UPDATE', 'CREATE', 'DELETE', 'REVEAL'],
      subject: 'ACCOUNT',
      conditions: { ownerId: '${user.id}' },
    },
    { action: ['VIEW', 'CREATE'], subject: 'PROXY', conditions: { ownerId: '${user.id}' } },
    { action: ['UPDATE'], subject: 'VIDEO', fields: ['rights'], inverted: true },
  ])
})
afterAll(() => server.stop())

const SAMPLES: Readonly<Record<string, [unknown, unknown]>> = {
  text: ['one', 'two'],
  integer: [1, 2],
  boolean: [true, false],
  uuid: ['01a2e0c0-0000-7000-8000-000000000001', '01a2e0c0-0000-7000-8000-000000000002'],
  'text[]': [['one'], ['two', 'three']],
}

test('what is plain is stored as it is answered, and nothing else depends on it', () => {
  let looked = 0
  for (const kind of IMPORT_KINDS) {
    const { definition } = mountedOf(server.deps, kind)
    const columns = getTableColumns(definition.table)
    for (const field of [...(definition.plain ?? []), 'tags', 'notes']) {
      const [one, two] = SAMPLES[columns[field]?.getSQLType() ?? ''] ?? []
      const given = { [field]: two }
      const row = {
        ...Object.fromEntries(Object.keys(columns).map((name) => [name, null])),
        createdAt: new Date(),
        updatedAt: new Date(),
        status: 'ready',
        tags: [],
        allowedDomains: [],
        phoneNumber: '+4915112345678',
        thread: 1,
        [field]: one,
      }
      expect(definition.columns(given, row), `${kind}.${field}`).toEqual(given)
      const extras = Object.fromEntries(Object.keys(definition.extras).map((name) => [name, null]))
      const nobody = { can: () => false }
      const shown = (of: object) => definition.present({ ...row, ...of }, extras, nobody)
      expect(difference(shown({}), shown(given), [], {}), `${kind}.${field}`).toEqual({
        before: { [field]: one },
        after: given,
      })
      looked += 1
    }
  }
  expect(looked).toBeGreaterThan(30)
})

test('at once or one by one, the same becomes of each record, of its history and when it is taken back', async () => {
  const outcomes = []
  for (const person of [ann, pat]) {
    const api = person.api(accounts)
    const ids: string[] = []
    for (const [username, more] of [
      ['plain', { notes: 'was', tags: ['kept', 'old'] }],
      ['same already', { notes: 'is', status: 'paused', displayName: 'Shown' }],
      ['full of tags', { tags: Array.from({ length: 30 }, (_, n) => `t${n}`) }],
      ['in the trash', {}],
      ['changed since', {}],
    ] as const)
      ids.push((await api.create({ type: 'x', username, ...more, tags: [...(more.tags ?? [])] })).id)
    await api.remove({ id: ids[3] ?? '' })
    const selection = { ids: [...ids, '01a2e0c0-0000-7000-8000-00000000ffff'] }
    const told: unknown[] = []
    const tell = ({ state, done, unchanged, refused }: Awaited<ReturnType<typeof api.bulk>>) =>
      told.push({ state, done, unchanged, refused: refused.map((one) => `${one.name}: ${one.code}`).sort() })
    const fields = { notes: 'is', status: 'paused' as const, displayName: 'Shown' }
    const steps = [
      await api.bulk({ selection, action: 'update', fields }),
      await api.bulk({ selection, action: 'addTags', tags: ['kept', 'new'] }),
      await api.bulk({ selection, action: 'removeTags', tags: ['old', 'none'] }),
    ]
    const last = await api.get({ id: ids[4] ?? '' })
    await api.update({ id: last.id, version: last.version, notes: 'mine' })
    steps.push(await api.bulk({ selection, action: 'update', fields: { username: 'one for all' } }))
    steps.forEach(tell)
    for (const { id } of steps.toReversed()) tell(await person.api(bulks).undo({ id }))
    const history = await server.deps.db.execute(sql`
      select label, before, after from audit where record_id = any(${sql.param(ids)}::text[]) and label like 'account.%'
        and label not in ('account.create', 'account.update', 'account.delete') order by record_id, at, after ->> 'version'`)
    const rows = await server.deps.db.execute(sql`
      select username, version, notes, status, display_name, tags from account
      where owner_id = ${person.id} order by username, version`)
    const before = await server.deps.db.execute(sql`
      select r.version, r.before, r.code from bulk_row r join bulk b on b.id = r.bulk_id
      where b.user_id = ${person.id} order by r.record_id, b.created_at, r.version`)
    outcomes.push({ told, history: history.rows, rows: rows.rows, before: before.rows })
  }
  expect(outcomes[0]).toEqual(outcomes[1])
  expect(outcomes[0]?.history.length).toBeGreaterThan(8)
})

test('at once or one by one, the same becomes of the trash, of secrets and of links', async () => {
  const outcomes = []
  for (const person of [ann, pat]) {
    const api = person.api(accounts)
    const proxyId = (
      await person.api(proxies).create({ protocol: 'http', host: `${person.username}.example.org`, port: 1 })
    ).id
    const ids: string[] = []
    for (const username of ['plain', 'waits', 'changed since', 'name taken', 'gone'])
      ids.push((await api.create({ type: 'google', username, password: 'old', proxyId })).id)
    const [, waits = '', since = '', , gone = ''] = ids
    await server.deps.db.execute(sql`update account set status = 'needs_sign_in' where id = ${waits}`)
    await api.remove({ id: gone })
    const selection = { ids }
    const told: unknown[] = []
    const tell = ({ action, done, unchanged, refused }: Bulk) =>
      told.push({ action, done, unchanged, refused: refused.map((one) => `${one.name}: ${one.code}`).sort() })
    const undo = async ({ id }: Bulk) => tell(await person.api(bulks).undo({ id }))
    const secret = await api.bulk({
      selection,
      action: 'update',
      fields: { password: 'new', totpSeed: null },
    })
    const read = async () => {
      const [row] = await server.deps.db.select().from(account).where(eq(account.id, waits))
      return row && openField(server.deps.secrets, account, 'password', row)
    }
    const revealed = [await read()]
    const unlinked = await api.bulk({ selection, action: 'update', fields: { proxyId: null } })
    await undo(unlinked)
    const away = await api.bulk({ selection, action: 'delete' })
    await api.create({ type: 'google', username: 'name taken' })
    const back = await api.bulk({ selection, action: 'restore' })
    const total = async () => (await api.list({ accountType: ['google'] })).totalRecord
    const totals = [await total()]
    await api.update({ id: since, version: (await api.get({ id: since })).version, notes: 'mine' })
    await undo(back)
    totals.push(await total(), (await api.list({ trashed: 'true' })).totalRecord)
    for (const one of [secret, unlinked, away, back]) tell(one)
    const again = await api.bulk({ selection: { ids: [waits] }, action: 'restore' })
    await server.deps.db.execute(
      sql`update bulk_row set version = version + 5 where bulk_id = ${secret.id} and version is not null`,
    )
    await undo(secret)
    revealed.push(await read())
    tell(again)
    const history = await server.deps.db.execute(sql`
      select label, before, after from audit where record_id = any(${sql.param(ids)}::text[]) and label in
        ('account.bulk', 'account.delete', 'account.restore', 'account.undo') order by record_id, id`)
    const rows = await server.deps.db.execute(sql`
      select username, version, status, proxy_id is not null as linked, totp_seed, deleted_at is null as alive
      from account where owner_id = ${person.id} and type = 'google' order by username, version`)
    const before = await server.deps.db.execute(sql`
      select r.version, r.before - '{password,proxyId,deletedAt}'::text[] as before, array(select jsonb_object_keys(r.before)) as had, r.code
      from bulk_row r join bulk b on b.id = r.bulk_id join account a on a.id = r.record_id
      where b.user_id = ${person.id} and a.type = 'google' order by r.record_id, b.created_at, r.version`)
    const kept = await server.deps.db.execute(sql`
      select trashed, sum(n)::int as n from record_count where kind = 'account' and owner_id = ${person.id} group by 1 order by 1`)
    // Each of them has a proxy of their own.
    const lines = JSON.stringify(history.rows).replaceAll(proxyId, 'their proxy').split('{"label"')
    outcomes.push({ told, revealed, totals, lines, rows: rows.rows, before: before.rows, kept: kept.rows })
  }
  expect(outcomes[0]).toEqual(outcomes[1])
  expect(outcomes[0]?.lines.length).toBeGreaterThan(12)
  expect(outcomes[0]?.revealed).toEqual(['new', 'new'])
})

test('what comes out of the trash is found by its ids, also while the database still takes the trash for empty', async () => {
  const { db } = server.deps
  await db.execute(sql`
    insert into account (id, owner_id, type, username)
    select uuidv7(), ${ann.id}::uuid, 'youtube', 'many ' || n from generate_series(1, 3000) n`)
  await db.execute(sql`alter table account set (autovacuum_enabled = off)`)
  await db.execute(sql`analyze account`)
  const { rows } = await db.execute(sql`
    update account set deleted_at = now() where type = 'youtube' and owner_id = ${ann.id} returning id`)
  const read = async () => {
    const found = await db.execute(sql`
      select indexrelname as name, idx_tup_read::int as n from pg_stat_user_indexes
      where indexrelname in ('account_trash', 'account_pkey') order by 1`)
    return found.rows.map(({ n }) => Number(n))
  }
  const [byId = 0, trash = 0] = await read()
  const ids = rows.slice(0, 1000).map(({ id }) => String(id))
  expect(await ann.api(accounts).bulk({ selection: { ids }, action: 'restore' })).toMatchObject({
    done: 1000,
  })
  // What a connection did is told a moment after.
  await expect.poll(async () => ((await read())[0] ?? 0) - byId, { timeout: 20_000 }).toBeGreaterThan(1000)
  expect(((await read())[1] ?? 0) - trash).toBeLessThan(1000)
})
