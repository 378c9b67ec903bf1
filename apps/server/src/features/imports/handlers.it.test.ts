import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { phones } from '@weft/contract/phones/api'
import { profiles } from '@weft/contract/profiles/api'
import { proxies } from '@weft/contract/proxies/api'
import { clients } from '@weft/contract/clients/api'
import { imports } from '@weft/contract/imports/api'
import { IMPORT_KINDS, type Import } from '@weft/contract/imports/schema'
import { users } from '@weft/contract/users/api'
import { videos } from '@weft/contract/videos/api'
import { importBatch, importRow } from '../../kit/import/table.ts'
import { openField } from '../../kit/resource/secrets.ts'
import { codeOf } from '../../testing/browser.ts'
import { TEST_KEY } from '../../testing/cluster.ts'
import { TEST_PASSWORD, type TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { endedImport } from './testing/ended.ts'
import { expectTablesMatch } from '../../testing/tables-match.ts'
import { account } from '../accounts/table.ts'
import { proxy } from '../proxies/table.ts'
import { clearOld } from './clear.ts'
import { runImport } from './run.ts'

let server: TestServer
let ann: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
})
afterAll(() => server.stop())

async function apply(
  person: TestPerson,
  id: string,
  how: { take?: 'all' | 'good'; duplicates?: 'skip' | 'update' | 'refuse' } = {},
): Promise<Import> {
  await person.api(imports).apply({ id, take: 'good', ...how })
  return endedImport(person, id)
}

const csv = (...lines: string[]) => ({ body: `${lines.join('\n')}\n` })
const rejectedOf = async (person: TestPerson, id: string) =>
  (await (await person.api(imports).rejected({ id })).text()).replace('\uFEFF', '').trimEnd().split('\r\n')

test('the tables are as the code knows them', () =>
  expectTablesMatch(server.deps.db, [importBatch, importRow]))

test.each(IMPORT_KINDS)(
  'the template of %s has all columns, and its row is taken as it stands',
  async (kind) => {
    const importApi = { accounts, clients, phones, profiles, proxies, videos }[kind]
    const admin = await server.as('administrator', 'columns-admin')
    const columns = await admin.api(imports).columns({ kind })
    const checked = await admin
      .api(importApi)
      .import(
        { fileName: 'template.csv' },
        csv(columns.map(({ name }) => name).join(','), columns.map(({ example }) => example).join(',')),
      )
    expect(checked.problems).toEqual([])
    expect(checked.import).toMatchObject({ total: 1, good: 1, bad: 0 })
    expect(Object.keys(checked.mapping)).toEqual(columns.map(({ name }) => name))
  },
)

test('what a column takes is said, and only to those who may import', async () => {
  const [type, username] = await ann.api(imports).columns({ kind: 'accounts' })
  expect(type).toMatchObject({ name: 'type', required: true })
  expect(type?.options).toContain('instagram')
  expect(username?.aliases).toContain('login')
  const viewer = await server.as('viewer', 'columns-viewer')
  expect(await codeOf(viewer.api(imports).columns({ kind: 'accounts' }))).toBe('access.denied')
})

test('a day in a row means its end where the person is, also when the rows are applied', async () => {
  const admin = await server.as('administrator', 'days-admin')
  const { version } = await admin.api(users).profile({})
  await admin.api(users).updateProfile({ version, timeZone: 'Africa/Cairo' })
  const checked = await admin
    .api(videos)
    .import(
      { fileName: 'days.csv' },
      csv('title,rightsUntil', 'Day,2030-12-31', 'Moment,2030-12-31T18:00:00+02:00', 'Wrong,31.12.2030'),
    )
  expect(checked.problems).toMatchObject([{ row: 3, path: 'rightsUntil' }])
  await apply(admin, checked.import.id)
  const { data } = await admin.api(videos).list({})
  expect(Object.fromEntries(data.map(({ title, rightsUntil }) => [title, rightsUntil]))).toMatchObject({
    Day: '2030-12-31T21:59:59.000Z',
    Moment: '2030-12-31T16:00:00.000Z',
  })
})

describe('an upload', () => {
  test('is checked row by row; nothing is created yet, and no secret is shown', async () => {
    const checked = await ann
      .api(accounts)
      .import(
        { fileName: 'mine.csv' },
        csv(
          'Type,Login,Pass,E-Mail,Limits per day,Colour',
          'x,one,hush~1,one@example.com,5,red',
          'nothing,two,p2,,,',
          'x,three,p3,not-an-address,0,',
          'x,ONE,p4,,,',
          'x,five,p5,,,,too,many',
        ),
      )
    expect(checked.import).toMatchObject({
      kind: 'accounts',
      fileName: 'mine.csv',
      state: 'checked',
      total: 5,
      good: 1,
      bad: 3,
      duplicates: 1,
      created: 0,
      can: ['apply', 'rejected'],
    })
    expect(checked.columns).toEqual(['Type', 'Login', 'Pass', 'E-Mail', 'Limits per day', 'Colour'])
    expect(checked.mapping).toEqual({
      type: 'Type',
      username: 'Login',
      password: 'Pass',
      email: 'E-Mail',
      'limits.perDay': 'Limits per day',
    })
    expect(checked.fields).toContainEqual({ name: 'username', required: true })
    expect(checked.preview[0]).toEqual({
      row: 1,
      values: {
        Type: 'x',
        Login: 'one',
        Pass: '•••',
        'E-Mail': 'one@example.com',
        'Limits per day': '5',
        Colour: 'red',
      },
    })
    expect(checked.problems.map(({ row, path, code: what }) => `${row} ${path} ${what}`)).toEqual([
      '2 type option',
      '3 email format',
      '3 limits.perDay too_small',
      '5  too_many_columns',
    ])
    expect((await ann.api(accounts).list({ q: 'one' })).totalRecord).toBe(0)
    const stored = await server.deps.db
      .select()
      .from(importRow)
      .where(eq(importRow.importId, checked.import.id))
    expect(JSON.stringify(stored)).not.toMatch(/hush~|example\.com/)
  })

  test('what cannot be an import at all is refused', async () => {
    const api = ann.api(accounts)
    expect(await codeOf(api.import({}, csv('')))).toBe('import.empty')
    expect(await codeOf(api.import({}, csv('type,username')))).toBe('import.empty')
    expect(await codeOf(api.import({}, csv('type', '"never closed')))).toBe('import.unreadable')
    expect(await codeOf(api.import({}, { body: new Uint8Array([0xff, 0xfe, 0x61]) }))).toBe(
      'import.unreadable',
    )
    expect(await codeOf(api.import({ mapping: '{"username":"Nobody"}' }, csv('a', 'b')))).toBe(
      'import.bad_mapping',
    )
    expect(await codeOf(api.import({ mapping: '{"nothing":"a"}' }, csv('a', 'b')))).toBe('import.bad_mapping')
    expect(await codeOf((await server.as('viewer')).api(accounts).import({}, csv('a', 'b')))).toBe(
      'access.denied',
    )
  })

  test('a mapping of one’s own is followed', async () => {
    const checked = await ann
      .api(phones)
      .import(
        { mapping: '{"phoneNumber":"second","countryCode":"first"}' },
        csv('first;second', '+44;+447700900123'),
      )
    expect(checked.import).toMatchObject({ good: 1, bad: 0 })
  })

  test('links to what one may not see are bad rows', async () => {
    const own = await ann.api(profiles).create({ name: 'own' })
    const foreign = await (await server.as('operator', 'ben')).api(profiles).create({ name: 'foreign' })
    const checked = await ann
      .api(accounts)
      .import(
        {},
        csv(
          'type,username,profileId',
          `x,linked1,${own.id}`,
          `x,linked2,${foreign.id}`,
          'x,linked3,nonsense',
        ),
      )
    expect(checked.import).toMatchObject({ good: 1, bad: 2 })
    expect(checked.problems.map((problem) => problem.code)).toEqual(['link.not_found', 'format'])
  })

  test('proxies come as lines in all four forms, other kinds as CSV in the order of their fields', async () => {
    const checked = await ann
      .api(proxies)
      .import(
        { format: 'lines' },
        csv(
          '10.1.0.1:8080',
          '10.1.0.2:8080:u:p:w',
          'u:p@10.1.0.3:1',
          'socks5://u:p@[2001:db8::1]:1080',
          'nonsense',
        ),
      )
    expect(checked.import).toMatchObject({ total: 5, good: 4, bad: 1 })
    expect(checked.preview[1]?.values).toEqual({
      protocol: 'http',
      host: '10.1.0.2',
      port: '8080',
      username: 'u',
      password: '•••',
    })
    const done = await apply(ann, checked.import.id)
    expect(done).toMatchObject({ state: 'finished', created: 4, skipped: 0, refused: 1 })
    const [row] = await server.deps.db.select().from(proxy).where(eq(proxy.host, '10.1.0.2'))
    if (!row) throw new Error('not imported')
    expect(row).toMatchObject({ proxySource: 'import', status: 'unverified', createdBy: ann.id })
    expect(openField(server.deps.secrets, proxy, 'password', row)).toBe('p:w')
    expect(await rejectedOf(ann, checked.import.id)).toEqual([
      'protocol,host,port,username,password,row,reason',
      expect.stringMatching(/^,nonsense,,,,5,.*proxy_line/),
    ])
    const others = await ann.api(phones).import({ format: 'lines' }, csv('+33612345678,FR,office'))
    expect(others.import).toMatchObject({ good: 1 })
  })

  test('clients come in the same way, each with a key of its own', async () => {
    const checked = await ann.api(clients).import({}, csv('name,labels', 'desk,a;b', 'shelf,'))
    expect(await apply(ann, checked.import.id, { take: 'all' })).toMatchObject({ created: 2 })
    const [desk] = (await ann.api(clients).list({ q: 'desk' })).data
    expect(desk).toMatchObject({ labels: ['a', 'b'], connection: 'never', clientKey: expect.any(String) })
  })

  test('an export can be imported again', async () => {
    const cleo = await server.as('operator', 'cleo')
    await cleo
      .api(phones)
      .create({ countryCode: '+1', phoneNumber: '+12025550123', tags: ['a', 'b'], notes: '=x' })
    for (const format of ['csv', 'ndjson'] as const) {
      const body = await (await cleo.api(phones).export({ format })).text()
      await cleo.api(phones).bulk({ selection: { query: {} }, action: 'delete' })
      const { import: made } = await cleo.api(phones).import({ format }, { body })
      expect(await apply(cleo, made.id, { take: 'all' })).toMatchObject({ created: 1, skipped: 0 })
      expect((await cleo.api(phones).list({})).data).toMatchObject([
        { phoneNumber: '+12025550123', tags: ['a', 'b'], notes: '=x' },
      ])
    }
  })
})

describe('applying', () => {
  const rows = csv('type,username,displayName', 'x,dup,New name', 'x,fresh,F', 'x,FRESH,Again')

  test('takes all only when every row is good', async () => {
    const { import: made } = await ann.api(accounts).import({}, csv('type,username', 'x,all1', 'bad,all2'))
    expect(await codeOf(ann.api(imports).apply({ id: made.id, take: 'all' }))).toBe('import.has_bad_rows')
    expect(await apply(ann, made.id)).toMatchObject({ created: 1, skipped: 0, refused: 1, processed: 2 })
    expect(await codeOf(ann.api(imports).apply({ id: made.id, take: 'good' }))).toBe('record.wrong_state')
  })

  test.each([
    ['skip', { created: 1, updated: 0, skipped: 2, refused: 0 }, 'Old name', 'F'],
    ['update', { created: 1, updated: 2, skipped: 0, refused: 0 }, 'New name', 'Again'],
    ['refuse', { created: 1, updated: 0, skipped: 0, refused: 2 }, 'Old name', 'F'],
  ] as const)('duplicates: %s', async (duplicates, counts, dup, fresh) => {
    const person = await server.as('operator', `dup-${duplicates}`)
    const before = await person
      .api(accounts)
      .create({ type: 'x', username: 'dup', displayName: 'Old name', notes: 'kept' })
    const checked = await person.api(accounts).import({}, rows)
    expect(checked.import).toMatchObject({ good: 1, duplicates: 2, bad: 0 })
    if (duplicates === 'refuse')
      expect(
        await codeOf(person.api(imports).apply({ id: checked.import.id, take: 'all', duplicates })),
      ).toBe('import.has_bad_rows')
    expect(await apply(person, checked.import.id, { duplicates })).toMatchObject({ ...counts, processed: 3 })
    expect(await person.api(accounts).get({ id: before.id })).toMatchObject({
      displayName: dup,
      notes: 'kept',
    })
    expect((await person.api(accounts).list({ q: 'fresh' })).data).toMatchObject([{ displayName: fresh }])
    if (duplicates !== 'update') expect(await rejectedOf(person, checked.import.id)).toHaveLength(3)
  })

  test('a record made in the meantime is a duplicate too', async () => {
    const { import: made } = await ann.api(accounts).import({}, csv('type,username', 'x,meantime'))
    expect(made.duplicates).toBe(0)
    await ann.api(accounts).create({ type: 'x', username: 'meantime' })
    expect(await apply(ann, made.id)).toMatchObject({ created: 0, skipped: 1 })
  })

  test('nobody else finds the import', async () => {
    const { import: made } = await ann.api(accounts).import({}, csv('type,username', 'x,private'))
    const other = (await server.as('administrator')).api(imports)
    const { id } = made
    expect(await codeOf(other.get({ id }))).toBe('record.not_found')
    expect(await codeOf(other.apply({ id, take: 'good' }))).toBe('record.not_found')
    expect(await codeOf(other.rejected({ id }))).toBe('record.not_found')
    expect(await codeOf(other.undo({ id }))).toBe('record.not_found')
  })

  test('the history of each record tells where it came from', async () => {
    const { import: made } = await ann.api(accounts).import({}, csv('type,username', 'x,traced'))
    await apply(ann, made.id)
    const [found] = (await ann.api(accounts).list({ q: 'traced' })).data
    const history = await ann.api(accounts).history({ id: found?.id ?? '' })
    expect(history.data).toMatchObject([{ label: 'account.import', after: { import: made.id, row: 1 } }])
  })
})

describe('undoing', () => {
  test('takes back what was created and is untouched and unused', async () => {
    const dan = await server.as('operator', 'dan')
    const { import: made } = await dan.api(profiles).import({}, csv('name', 'untouched', 'changed', 'used'))
    expect(await codeOf(dan.api(imports).undo({ id: made.id }))).toBe('import.cannot_undo')
    await apply(dan, made.id)
    const list = (await dan.api(profiles).list({ sortBy: 'name' })).data
    const idOf = (name: string) => list.find((one) => one.name === name)?.id ?? ''
    await dan.api(profiles).update({ id: idOf('changed'), version: 1, notes: 'mine' })
    await dan.api(accounts).create({ type: 'x', username: 'user of it', profileId: idOf('used') })
    expect(await dan.api(imports).undo({ id: made.id })).toMatchObject({
      state: 'undone',
      created: 2,
      can: [],
    })
    const left = (await dan.api(profiles).list({ sortBy: 'name' })).data.map(({ name }) => name)
    expect(left).toEqual(['changed', 'used'])
    const [latest] = (await dan.api(profiles).history({ id: idOf('untouched') })).data
    expect(latest).toMatchObject({
      label: 'profile.delete',
      actorId: dan.id,
      before: { deleted: false },
      after: { deleted: true, import: made.id },
    })
    expect((await dan.api(profiles).history({ id: idOf('used') })).data).toHaveLength(1)
    expect(await codeOf(dan.api(imports).undo({ id: made.id }))).toBe('import.cannot_undo')
  })
})

describe('undoing what an import changed', () => {
  test('gives each record its former values, but for one that somebody changed since; the history says both', async () => {
    const eve = await server.as('operator', 'eve')
    const api = eve.api(accounts)
    const make = (username: string) =>
      api.create({ type: 'x', username, channelName: 'before', tags: ['old'], password: 'first-secret' })
    const [kept, other] = [await make('kept'), await make('other')]
    const { import: made } = await api.import(
      {},
      csv(
        'type,username,channelName,tags,password',
        'x,kept,middle,new,second-secret',
        'x,other,after,,',
        'x,kept,after,newer,third-secret',
        'x,brandnew,after,,',
      ),
    )
    const ended = await apply(eve, made.id, { duplicates: 'update' })
    expect(ended).toMatchObject({ created: 1, updated: 3, can: ['undo'] })
    const [latest] = (await api.history({ id: other.id })).data
    expect(latest).toMatchObject({
      label: 'account.import',
      before: { channelName: 'before' },
      after: { channelName: 'after', import: made.id },
    })
    const { version } = await api.get({ id: other.id })
    await api.update({ id: other.id, version, notes: 'mine' })

    expect(await eve.api(imports).undo({ id: made.id })).toMatchObject({
      state: 'undone',
      created: 0,
      updated: 1,
    })
    expect(await api.get({ id: kept.id })).toMatchObject({ channelName: 'before', tags: ['old'] })
    expect(await api.reveal({ id: kept.id, secret: 'password', ownPassword: TEST_PASSWORD })).toEqual({
      value: 'first-secret',
    })
    expect(await api.get({ id: other.id })).toMatchObject({ channelName: 'after', notes: 'mine' })
    expect((await api.list({ q: 'brandnew' })).data).toEqual([])
    const undone = (await api.history({ id: kept.id })).data.find(({ label }) => label === 'account.undo')
    expect(undone).toMatchObject({
      before: { channelName: 'after' },
      after: { channelName: 'before', import: made.id },
    })
  })
})

describe('a large import', () => {
  const COUNT = 3000
  const body = [
    'type,username,password',
    ...Array.from({ length: COUNT }, (_, n) => `website,mass${n},pw${n}`),
  ].join('\n')

  test('killed in the middle, it goes on without losing or repeating a row', async () => {
    const max = await server.as('operator', 'max')
    const { import: made } = await max.api(accounts).import({}, { body })
    const { db } = server.deps
    await db
      .update(importBatch)
      .set({ state: 'running', take: 'good', onDuplicate: 'skip' })
      .where(eq(importBatch.id, made.id))
    expect(await applyAndDie(made.id, 3)).toBe('SIGKILL')
    expect(await max.api(imports).get({ id: made.id })).toMatchObject({ state: 'running', processed: 1000 })
    expect((await max.api(accounts).list({})).totalRecord).toBe(1000)
    // Two at once, as when the queue gives a job to another worker while the first still lives.
    await Promise.all([1, 2].map(() => runImport(server.deps, made.id, AbortSignal.timeout(60_000))))
    expect(await max.api(imports).get({ id: made.id })).toMatchObject({
      state: 'finished',
      processed: COUNT,
      created: COUNT,
      skipped: 0,
    })
    expect((await max.api(accounts).list({})).totalRecord).toBe(COUNT)
    const [one] = await db.select().from(account).where(eq(account.username, 'mass2999'))
    expect(one && openField(server.deps.secrets, account, 'password', one)).toBe('pw2999')
  }, 90_000)

  async function applyAndDie(importId: string, batch: number): Promise<string | null> {
    const script = join(import.meta.dirname, 'testing/apply-and-die.ts')
    const given = {
      address: server.database.address,
      key: TEST_KEY.toString('hex'),
      folder: server.deps.settings.dataDir,
      importId,
      batch,
    }
    const child = spawn(process.execPath, [script, JSON.stringify(given)], { stdio: 'inherit' })
    const [, signal]: unknown[] = await once(child, 'exit')
    return typeof signal === 'string' ? signal : null
  }

  test('the server takes up what was under way when it ended', async () => {
    const ida = await server.as('operator', 'ida')
    const { import: made } = await ida.api(accounts).import({}, csv('type,username', 'x,left over'))
    await server.deps.db
      .update(importBatch)
      .set({ state: 'running', take: 'good', onDuplicate: 'skip' })
      .where(eq(importBatch.id, made.id))
    await using second = await startTestServer({ database: server.database })
    expect(second.url).not.toBe(server.url)
    expect(await endedImport(ida, made.id)).toMatchObject({ state: 'finished', created: 1 })
  })
})

test('old imports are cleared away with their rows; their records stay', async () => {
  const { import: made } = await ann.api(accounts).import({}, csv('type,username', 'x,stays'))
  await apply(ann, made.id)
  await server.deps.db
    .update(importBatch)
    .set({ createdAt: sql`now() - interval '8 days'` })
    .where(eq(importBatch.id, made.id))
  await clearOld(server.deps)
  expect(await codeOf(ann.api(imports).get({ id: made.id }))).toBe('record.not_found')
  expect(await server.deps.db.select().from(importRow).where(eq(importRow.importId, made.id))).toEqual([])
  expect((await ann.api(accounts).list({ q: 'stays' })).totalRecord).toBe(1)
})
